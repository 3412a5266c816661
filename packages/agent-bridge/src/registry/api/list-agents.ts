import type { AgentList } from "@crosszone/contracts";
import { isReadable } from "../agent-row.ts";
import type { AgentStore } from "../agent-store.ts";

/** Filters and page of the list. */
export interface AgentQuery {
  readonly limit: number;
  readonly offset: number;
  readonly protocol: string | undefined;
  readonly enabled: boolean | undefined;
  readonly q: string | undefined;
}

/** Returns a page of the matching agents, sorted by name. `q` matches names and descriptions, ignoring case. */
export async function listAgents(
  store: Pick<AgentStore, "all">,
  { limit, offset, protocol, enabled, q }: AgentQuery,
): Promise<AgentList> {
  const wanted = q?.toLowerCase();
  const fitting = (await store.all())
    .filter(isReadable)
    .filter(
      (agent) =>
        (protocol === undefined || agent.protocol === protocol) &&
        (enabled === undefined || agent.enabled === enabled) &&
        (wanted === undefined || `${agent.name}\n${agent.description}`.toLowerCase().includes(wanted)),
    );
  return { agents: fitting.slice(offset, offset + limit), total: fitting.length, limit, offset };
}
