import { isAgentName, type AgentAuditList, type AgentSettings } from "@crosszone/contracts";
import type { AgentStore } from "../agent-store.ts";
import { RegistryProblem } from "./registry-problem.ts";

/** A page of what was done to agents of a name, the latest first. */
export async function listAudit(
  store: Pick<AgentStore, "audit">,
  name: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<AgentAuditList> {
  // What no agent can be called, a database may not even take as a question.
  const { entries, total } = isAgentName(name) ? await store.audit(name, { limit, offset }) : { entries: [], total: 0 };
  if (total === 0) throw new RegistryProblem("agent_not_found", "Nothing was ever done to an agent of this name.");
  return {
    entries: entries.map(({ action, revision, at, actor, correlation_id, before, after }) => ({
      action,
      revision,
      at: new Date(at).toISOString(),
      actor,
      correlation_id,
      before: settingsIn(before),
      after: settingsIn(after),
    })),
    total,
    limit,
    offset,
  };
}

function settingsIn(column: string | null): AgentSettings | null {
  return column === null ? null : (JSON.parse(column) as AgentSettings);
}
