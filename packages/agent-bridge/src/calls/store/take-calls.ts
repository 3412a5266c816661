import { forUpdateSkipLocked, now, rowsFromJson, type Database } from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { CallReadings, CallShare, TakeOptions } from "../call-store.ts";
import type { AgentCallTables } from "./agent-call-table.ts";
import type { TakenRow } from "./call-row.ts";

type Queries = Pick<Database<AgentCallTables>, "db" | "engine">;

/**
 * Returns the agents with calls that can be taken, longest waiting first. Jumps from agent to agent in the index, so
 * that a long queue costs no more than a short one. https://wiki.postgresql.org/wiki/Loose_indexscan
 */
export async function findWaitingAgents(
  { db, engine }: Queries,
  { onlyNobodys }: Pick<TakeOptions, "onlyNobodys">,
): Promise<string[]> {
  const { rows } = await sql<{ agent: string }>`
    with recursive agents(agent) as (
      select min(agent) from agent_call where finished_at is null
      union all
      select (select min(agent) from agent_call where finished_at is null and agent > agents.agent)
      from agents where agents.agent is not null),
    waiting as (
      select agent, (
        select min(lease_until) from agent_call
        where agent_call.agent = agents.agent and finished_at is null ${nobodys(onlyNobodys)}) as since
      from agents where agent is not null)
    select agent from waiting where since <= ${now(engine)} order by since`.execute(db);
  return rows.map(({ agent }) => agent);
}

/** Leases free calls to `owner`, up to each agent's limit, longest waiting first. */
export async function takeRows(
  { unflushed, engine }: Pick<Database<AgentCallTables>, "unflushed" | "engine">,
  {
    owner,
    leaseMs,
    shares,
    running,
    onlyNobodys,
  }: TakeOptions & { readonly owner: string; readonly leaseMs: number; readonly shares: readonly CallShare[] },
): Promise<TakenRow[]> {
  const others = running === undefined ? sql`and (owner is null or owner <> ${owner})` : without(engine, running);
  // Numbers are parameters, so that the compiled statement is reused. The time is read once and the order is the
  // index's, so PostgreSQL uses the index even without statistics.
  const free = shares.map(
    ({ agent, most }) => sql`
      select id from (
        select id from agent_call
        where agent = ${agent} and finished_at is null and lease_until <= (select ${now(engine)}) ${nobodys(onlyNobodys)} ${others}
        order by lease_until, created_at limit ${most} ${forUpdateSkipLocked(engine)}) as share`,
  );
  // Materialized: otherwise PostgreSQL may run the subquery several times during the update and lease more rows than the limit.
  const taking = sql<TakenRow>`
    with free as materialized (${sql.join(free, sql` union all `)})
    update agent_call set owner = ${owner}, lease_until = ${now(engine)} + ${leaseMs}, attempt = attempt + 1
    where id in (select id from free)
    returning id, attempt, record, input, remote_id, files, way,
      deadline_at - ${now(engine)} as remaining_ms, ${now(engine)} - created_at as waited_ms`;
  const { rows } = await unflushed((db) => taking.execute(db));
  return rows.toSorted((a, b) => b.waited_ms - a.waited_ms);
}

/** Reads only the index: calls can be many, and their rows contain large inputs. */
export async function readCalls({ db, engine }: Queries): Promise<CallReadings> {
  const waits = sql`lease_until <= (select ${now(engine)})`;
  const { rows } = await sql<{ open: number; waiting: number; oldest_ms: number | null }>`
    select count(*) as open, count(case when ${waits} then 1 end) as waiting,
      ${now(engine)} - min(case when ${waits} then created_at end) as oldest_ms
    from agent_call where finished_at is null`.execute(db);
  const { open = 0, waiting = 0, oldest_ms } = rows[0] ?? {};
  return { open, waiting, oldestWaitingMs: Math.max(0, oldest_ms ?? 0) };
}

function without(engine: Queries["engine"], ids: readonly string[]): RawBuilder<unknown> {
  if (ids.length === 0) return sql``;
  const rows = ids.map((id) => ({ id }));
  return sql`and id not in (select id from ${rowsFromJson(engine, rows, { alias: "held", columns: { id: "text" } })})`;
}

const nobodys = (only: boolean) => (only ? sql`and owner is null` : sql``);
