import { transactAndSend, type MessageBus } from "@crosszone/bus";
import type { AgentResult } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { now, nowText, rowsStatement, type Database } from "@crosszone/sql";
import { sql, type Transaction } from "kysely";
import type { CallIds, HeldCall } from "../agent-call.ts";
import type { CallResult, SettledCall } from "../call-store.ts";
import type { AgentCallTables } from "./agent-call-table.ts";
import { callId, callOutputContext, teamOf, type CallRecord } from "./call-row.ts";

export interface EndDeps {
  readonly database: Pick<Database<AgentCallTables>, "transaction" | "engine">;
  readonly outbox: MessageBus["outbox"];
  readonly owner: string;
  readonly codec: RecordCodec;
}

/** A leased call whose end is about to be stored. */
export interface EndingCall extends HeldCall {
  readonly end: CallResult;
  /** Its result, in the form of the column. */
  readonly output: string;
}

const ending = rowsStatement({
  columns: {
    call_id: "text",
    holder: "text",
    taken: "bigint",
    new_state: "text",
    new_output: "text",
    new_attempts: "bigint",
    new_kind: "text",
    new_took: "bigint",
  },
  // Every statement locks rows in the same order: PostgreSQL would abort one of two that lock in different orders.
  text: (rows, engine) => `
    with held as materialized (
      select new.* from ${rows} join agent_call on agent_call.id = new.call_id
      order by agent_call.id ${engine === "postgres" ? "for update of agent_call" : ""})
    update agent_call
    set state = new_state, output = new_output, agent_attempts = new_attempts, error_kind = new_kind,
      took_ms = new_took, finished_at = ${nowText[engine]}, input = null, remote_id = null, files = null, progress = null
    from held
    where id = call_id and owner = holder and attempt = taken and finished_at is null
    returning id, attempt`,
});

/** Ends leased calls and publishes their results, in one transaction. Returns for each whether it was still leased. */
export function endCalls(deps: EndDeps): (ends: readonly EndingCall[]) => Promise<boolean[]> {
  const { database, outbox, owner } = deps;
  const { engine } = database;
  return async (ends) => {
    const rows = ends.map(({ id, attempt, end: { state, result, tookMs }, output }) => ({
      call_id: id,
      holder: owner,
      taken: attempt,
      new_state: state,
      new_output: output,
      new_attempts: result.attempts ?? null,
      new_kind: result.error?.kind ?? null,
      new_took: tookMs ?? null,
    }));
    const ended = await transactAndSend(database, outbox, async (transaction) => {
      const changed = await ending<HeldCall>(transaction, engine, rows);
      // A call that this process lost and took again may end twice in a group: only one of its attempts counts.
      const attempts = new Map(changed.map(({ id, attempt }) => [id, attempt]));
      const isDone = ({ id, attempt }: HeldCall): boolean => attempts.get(id) === attempt;
      await publish(
        deps,
        transaction,
        ends.filter(isDone).map(({ end }) => end),
      );
      const rest = ends.filter((call) => !isDone(call));
      const before = await endedBefore(transaction, rest, owner);
      return new Set([...ends.filter(isDone), ...before]);
    });
    return ends.map((call) => ended.has(call));
  };
}

/** Returns calls that had ended here before: the transaction was committed, but its answer was lost. */
async function endedBefore(
  transaction: Transaction<AgentCallTables>,
  held: readonly EndingCall[],
  owner: string,
): Promise<readonly EndingCall[]> {
  if (held.length === 0) return [];
  const rows = await transaction
    .selectFrom("agent_call")
    .select(["id", "attempt"])
    .where(
      "id",
      "in",
      held.map(({ id }) => id),
    )
    .where("owner", "=", owner)
    .where("finished_at", "is not", null)
    .execute();
  const attempts = new Map(rows.map(({ id, attempt }) => [id, attempt]));
  return held.filter(({ id, attempt }) => attempts.get(id) === attempt);
}

/**
 * Ends a call without work on it and publishes its result, in one transaction. A call that has not arrived is stored as
 * ended, so that it doesn't start when it does. Returns undefined when it has already ended or, unless `replacesOpen`,
 * when it exists.
 */
export async function settleCall(
  deps: EndDeps,
  ids: CallIds,
  { end, replacesOpen }: { readonly end: CallResult; readonly replacesOpen: boolean },
): Promise<SettledCall | undefined> {
  const { database, outbox, codec } = deps;
  const { state, result, headers } = end;
  const { run_id, task_id, correlation_id } = result;
  const id = callId(ids);
  const time = now(database.engine);
  const record: CallRecord = { task: { run_id, task_id, correlation_id, agent_name: "" }, headers };
  const onConflict = replacesOpen
    ? sql`(id) do update
        set state = excluded.state, output = excluded.output, error_kind = excluded.error_kind, finished_at = ${time}, owner = null, input = null, remote_id = null, files = null, progress = null
        where agent_call.finished_at is null`
    : sql`do nothing`;
  return transactAndSend(database, outbox, async (transaction) => {
    const { rows } = await sql<{ record: string; duration_ms: number }>`
      insert into agent_call
        (id, agent, state, attempt, lease_until, created_at, deadline_at, finished_at, team, record, output,
         error_kind)
      values (${id}, '', ${state}, 0, 0, ${time}, ${time}, ${time}, ${teamOf(headers)},
        ${JSON.stringify(record)}, ${codec.toColumn(result, callOutputContext(id))},
        ${result.error?.kind ?? null})
      on conflict ${onConflict}
      returning record, finished_at - created_at as duration_ms`.execute(transaction);
    const [row] = rows;
    if (row === undefined) return undefined;
    const found = codec.fromColumn(row.record, "") as CallRecord;
    await publish(deps, transaction, [{ ...end, headers: { ...found.headers, ...headers } }]);
    return { agentName: found.task.agent_name, durationMs: row.duration_ms };
  });
}

/** Publishes the result of an ended call again. Returns false when it has not ended. */
export async function repeatResult(deps: EndDeps, ids: CallIds): Promise<boolean> {
  const { database, outbox, codec } = deps;
  const id = callId(ids);
  return transactAndSend(database, outbox, async (transaction) => {
    const row = await transaction
      .selectFrom("agent_call")
      .select(["record", "output", "state"])
      .where("id", "=", id)
      .where("finished_at", "is not", null)
      .executeTakeFirst();
    if (row?.output == null || row.state === "open") return false;
    const { headers } = codec.fromColumn(row.record, "") as CallRecord;
    const result = codec.fromColumn(row.output, callOutputContext(id)) as AgentResult;
    await publish(deps, transaction, [{ state: row.state, result, headers }]);
    return true;
  });
}

async function publish(
  { outbox }: EndDeps,
  transaction: Transaction<AgentCallTables>,
  ends: readonly CallResult[],
): Promise<void> {
  const messages = ends.map(({ result, headers }) => ({ channel: "agent_results", value: result, headers }) as const);
  if (messages.length > 0) await outbox.add(transaction as unknown as Transaction<never>, messages);
}
