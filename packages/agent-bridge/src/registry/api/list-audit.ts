import type { AgentAuditList, AgentSettings } from "@crosszone/contracts";
import type { AgentStore } from "../agent-store.ts";
import type { Query } from "./read-query.ts";
import { RegistryProblem } from "./registry-problem.ts";

/** A page of what was done to agents of a name, the latest first. */
export async function listAudit(
  store: Pick<AgentStore, "audit">,
  name: string,
  { limit, offset }: Query,
): Promise<AgentAuditList> {
  const { entries, total } = await store.audit(name, { limit, offset });
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
