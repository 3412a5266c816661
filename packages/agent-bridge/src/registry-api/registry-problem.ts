import { ApiProblem, type ProblemDetail } from "@crosszone/admin-api";
import type { AgentRecord, ParamProblem } from "@crosszone/contracts";

/** Problems of the registry, besides those of the whole API. */
export const registryProblems = {
  agent_not_found: { status: 404, title: "Agent not found" },
  name_taken: { status: 409, title: "An agent with this name exists" },
  declared_in_file: { status: 409, title: "The agent is declared in a file" },
  changed_meanwhile: { status: 409, title: "Others are changing the agent at the same time" },
  not_compliant: { status: 409, title: "The agent does not comply with the protocol" },
  nothing_to_restore: { status: 409, title: "There is nothing to roll back to" },
  agent_unreadable: { status: 409, title: "The agent's row can't be read" },
  revision_mismatch: { status: 412, title: "The agent has been changed" },
  invalid_agent: { status: 422, title: "The agent's settings are not valid" },
} as const;

/** A request that the registry rejects. The message tells the client what to do. */
export class RegistryProblem extends ApiProblem {
  constructor(kind: keyof typeof registryProblems, message: string, detail?: ProblemDetail) {
    super({ kind, ...registryProblems[kind] }, message, detail);
  }
}

export const invalid = (problems: readonly ParamProblem[]): RegistryProblem =>
  new RegistryProblem("invalid_agent", "Correct what `problems` names.", { problems });

/** Other changes came first, in every attempt. */
export const changedMeanwhile = (): RegistryProblem =>
  new RegistryProblem("changed_meanwhile", "Try again.", { headers: { "retry-after": "1" } });

/**
 * Returns the ETag of an agent's revision. A recreated agent has another one.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
export function entityTag({ id, revision }: AgentRecord): string {
  return `"${id}.${revision}"`;
}

/**
 * Throws a `RegistryProblem` unless the request's condition, if any, is true.
 * https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
 */
export function checkIfMatch(ifMatch: string | undefined, agent: AgentRecord): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const tag = entityTag(agent);
  if (ifMatch.split(",").some((one) => one.trim() === tag)) return;
  throw new RegistryProblem("revision_mismatch", "Read the agent again, and send its current ETag.", {
    headers: { etag: tag },
  });
}
