import { isAgentName, type AgentAuditList, type AgentSettings } from "@crosszone/contracts";
import type { AgentStore } from "../agent-store.ts";
import { RegistryProblem } from "./registry-problem.ts";

/** Returns a page of the changes of agents with a name, the latest first. */
export async function listAudit(
  store: Pick<AgentStore, "audit">,
  name: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<AgentAuditList> {
  // A database may reject text that can't be an agent's name.
  const { entries, total } = isAgentName(name) ? await store.audit(name, { limit, offset }) : { entries: [], total: 0 };
  if (total === 0) throw new RegistryProblem("agent_not_found", "No agent of this name was ever changed.");
  return {
    entries: entries.map(({ action, revision, at, actor, correlation_id, before, after, reason }) => ({
      action,
      revision,
      at: new Date(at).toISOString(),
      actor,
      correlation_id,
      before: settingsIn(before),
      after: settingsIn(after),
      ...(reason !== null && { reason }),
    })),
    total,
    limit,
    offset,
  };
}

function settingsIn(column: string | null): AgentSettings | null {
  return column === null ? null : (JSON.parse(column) as AgentSettings);
}
