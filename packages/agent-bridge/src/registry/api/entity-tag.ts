import type { AgentRecord } from "@crosszone/contracts";
import { RegistryProblem } from "./registry-problem.ts";

/**
 * Returns the ETag of an agent's revision. A recreated agent has another one.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
export function entityTag({ id, revision }: Pick<AgentRecord, "id" | "revision">): string {
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
