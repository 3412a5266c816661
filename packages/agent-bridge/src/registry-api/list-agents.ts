import { ApiProblem, type AskedFor } from "@crosszone/admin-api";
import { agentCallKind, type ExecutionJobTables } from "@crosszone/agent-calls";
import { type AgentActivity, type AgentAuditEntry, type AuditRecord, isAgentName } from "@crosszone/contracts";
import { jobStates } from "@crosszone/jobs";
import { isoTime } from "@crosszone/service-kit/text";
import { type Database, pageBytes, retryBriefly } from "@crosszone/sql";
import { sql } from "kysely";
import type { CircuitBreakers } from "../calls/circuit-breakers.ts";
import type { AgentCallCounts, AgentCounts } from "../registry/agent-counts.ts";
import type { AgentStore } from "../registry/agent-store.ts";
import { isReadableAgent } from "../registry/agent-table.ts";

/** Reads what waits for agents and how their calls ended, by name. */
export type ReadActivity = () => Promise<(name: string) => AgentActivity>;

/** `circuits`: of this process; absent when it calls no agents. */
export function createReadActivity(
  { db }: Database<ExecutionJobTables>,
  counts: Pick<AgentCallCounts, "read">,
  circuits: CircuitBreakers["readings"] = () => [],
): ReadActivity {
  const waiting = db
    .selectFrom("job")
    .where("kind", "=", sql.lit(agentCallKind))
    .where("state", "<", sql.lit(jobStates.ended))
    .select(({ fn }) => ["name", fn.countAll<number>().as("count"), fn.min("created_at").as("since")])
    .groupBy("name");

  return async () => {
    const [waits, counted] = await Promise.all([retryBriefly(() => waiting.execute()), counts.read()]);
    const waitOf = new Map(waits.map((row) => [row.name, row]));
    const circuitOf = new Map(circuits().map(({ agent, state }) => [agent, state]));
    return (name) => {
      const { count = 0, since } = waitOf.get(name) ?? {};
      const waiting_since = since === undefined ? undefined : isoTime(since);
      return { ...(counted.get(name) ?? noCalls), circuit: circuitOf.get(name), waiting: count, waiting_since };
    };
  };
}

const noCalls: AgentCounts = { ended: 0, failed: 0, day: { calls: 0, attempts: 0, failed: 0, asked: 0 } };

/**
 * Returns a page of the matching agents, sorted by name; fewer than `limit` when they are large. `q` matches names and descriptions,
 * ignoring case.
 */
export async function listAgents(
  { store, readActivity }: { readonly store: AgentStore; readonly readActivity?: ReadActivity },
  { query, content }: Pick<AskedFor<"listAgents">, "query" | "content">,
) {
  const { limit, cursor: [after] = [""], protocol, enabled, q, waiting } = query;
  await content.hold(await store.size());
  const activityOf = await readActivity?.();
  const wanted = q?.toLowerCase();
  const fitting = (await store.all())
    .filter(isReadableAgent)
    .filter(
      (agent) =>
        (protocol === undefined || agent.protocol === protocol) &&
        (enabled === undefined || agent.enabled === enabled) &&
        (waiting === undefined || (activityOf?.(agent.name).waiting ?? 0) > 0 === waiting) &&
        (wanted === undefined ||
          `${agent.name}\n${agent.description || agent.card?.description}`.toLowerCase().includes(wanted)),
    );
  let bytes = 0;
  const left = fitting.filter(({ name }) => name > after);
  const shown = left.slice(0, limit).map((agent) => ({ ...agent, activity: activityOf?.(agent.name) }));
  const agents = shown.filter((agent, index) => {
    bytes += Buffer.byteLength(JSON.stringify(agent));
    return index === 0 || bytes <= pageBytes;
  });
  const last = agents.length < left.length ? agents.at(-1) : undefined;
  return { agents, total: fitting.length, next_cursor: last && ([last.name] as const) };
}

/** Returns a page of the changes of agents with a name, the latest first. */
export async function listAgentChanges(
  store: AgentStore,
  { params: { name }, query: { limit, cursor } }: Pick<AskedFor<"listAudit">, "params" | "query">,
) {
  // A database may reject text that can't be an agent's name.
  if (!isAgentName(name)) throw neverChanged();
  const { events, total, next } = await store.history(name, { limit, before: cursor?.[0] });
  if (total === 0) throw neverChanged();
  return { entries: events.map(entryOf), total, next_cursor: next === undefined ? undefined : ([next] as const) };
}

const neverChanged = (): ApiProblem => new ApiProblem("agent_not_found", "No agent of this name was ever changed.");

function entryOf({ event, content }: AuditRecord): AgentAuditEntry {
  const { action, details, at, actor, correlation_id } = event;
  // The address of the request is only for those who read the audit log.
  const { address: _address, client: _client, ...members } = content?.members ?? {};
  const { before, after, reason } = { before: null, after: null, ...members } as AgentAuditEntry;
  return {
    action: action.slice("agent.".length) as AgentAuditEntry["action"],
    revision: Number(details?.["revision"]),
    at,
    actor: actor.type === "token" ? `token:${actor.id}` : actor.id,
    correlation_id: correlation_id ?? event.id,
    before,
    after,
    reason,
  };
}
