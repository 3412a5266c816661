import type { AgentRecord } from "@crosszone/contracts";
import { RegistryProblem } from "./registry-problem.ts";

/** Names one state of one agent; an agent that was deleted and made again is another. https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 */
export function entityTag({ id, revision }: Pick<AgentRecord, "id" | "revision">): string {
  return `"${id}.${revision}"`;
}

/** Throws a `RegistryProblem` unless the condition of a request, when it has one, holds. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1 */
export function checkIfMatch(ifMatch: string | undefined, agent: AgentRecord): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const tag = entityTag(agent);
  if (ifMatch.split(",").some((one) => one.trim() === tag)) return;
  throw new RegistryProblem("revision_mismatch", "Read the agent again, and send the ETag of what you have read.", {
    headers: { etag: tag },
  });
}
