import { transactAndSend, type Outbox } from "@crosszone/bus";
import type { AgentResult } from "@crosszone/contracts";
import { createRecordCodec, SealedTextError, type Vault } from "@crosszone/service-kit";
import { createGroupCommit, now, writeStatement, type Database } from "@crosszone/sql";
import { sql, type Transaction } from "kysely";
import { isTaskId } from "../../../tasks/task-id.ts";
import { waitingGroup, type AgentWaitStore, type SentTask } from "./agent-wait-store.ts";
import type { AgentWaitTables } from "./agent-wait-table.ts";

export interface SqlAgentWaitsOptions {
  /** The outbox of a bus in the same database. */
  readonly outbox: Outbox;
  /** Seals the results. Without it they are stored as plain text. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
}

/** The context that a sealed result is bound to. */
export const waitContext = (taskId: string): string => `agent_wait result ${taskId}`;

/** Returns an `AgentWaitStore` in the zone's database. Concurrent writes of tasks and results share a transaction. */
export function createSqlAgentWaits<Tables extends AgentWaitTables>(
  zoneDatabase: Database<Tables>,
  { outbox, vault }: SqlAgentWaitsOptions,
): AgentWaitStore {
  // Queries use only the table described here and that of the tasks.
  const database = zoneDatabase as unknown as Database<AgentWaitTables>;
  const { db, engine } = database;
  const codec = createRecordCodec(vault);
  const keepResult = writeStatement({
    table: "agent_wait",
    key: "task_id",
    columns: { task_id: "text", result: "text" },
    text: (rows) => `update agent_wait set result = new.result, finished_at = ${now(engine).compile(db).sql}
      from ${rows} where agent_wait.task_id = new.task_id and agent_wait.finished_at is null`,
  });
  const open = (taskId: string, result: string): AgentResult => {
    try {
      return codec.fromColumn(result, waitContext(taskId)) as AgentResult;
    } catch (error) {
      if (!(error instanceof SealedTextError)) throw error;
      return unreadable(taskId);
    }
  };
  const inTransaction = <T>(run: (transaction: Transaction<AgentWaitTables>) => Promise<T>): Promise<T> =>
    transactAndSend(database, outbox, run);

  const send = createGroupCommit(
    (sent: readonly SentTask[]): Promise<readonly void[]> =>
      inTransaction(async (transaction) => {
        const fresh = await transaction
          .insertInto("agent_wait")
          .values(
            sent.map(({ task, parentTaskId = null, team = null }) => ({
              ...emptyWait,
              task_id: task.task_id,
              parent_task_id: parentTaskId,
              team,
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning("task_id")
          .execute();
        const ids = new Set(fresh.map(({ task_id }) => task_id));
        const messages = sent.filter(({ task }) => ids.delete(task.task_id)).map(messageOf);
        if (messages.length > 0) await outbox.add(transaction as never, messages);
        return sent.map(() => undefined);
      }),
    { most: 100 },
  );
  const keep = createGroupCommit((results: readonly AgentResult[]) =>
    database.write(
      keepResult,
      results.map((result) => ({
        task_id: result.task_id,
        result: codec.toColumn(result, waitContext(result.task_id)),
      })),
    ),
  );

  return {
    send,

    // Other programs may use the same topic: ignores results that aren't for tasks of this zone.
    keep: async (result) => (result.run_id === result.task_id && isTaskId(result.task_id) ? keep(result) : false),

    results: async (taskIds) => {
      const rows = await db
        .selectFrom("agent_wait")
        .select(["task_id", "result"])
        .where("task_id", "in", [...taskIds])
        .where("finished_at", "is not", null)
        .execute();
      return rows.map(({ task_id, result }) => open(task_id, result ?? ""));
    },

    cancel: (cancellation) =>
      inTransaction(async (transaction) => {
        const waiting = await transaction
          .updateTable("agent_wait")
          .set({ canceled_at: now(engine) })
          .where("task_id", "=", cancellation.task_id)
          .where("finished_at", "is", null)
          .where("canceled_at", "is", null)
          .returning(["task_id", "team"])
          .executeTakeFirst();
        if (waiting === undefined) return;
        const headers = headersOf(waiting.team ?? undefined);
        await outbox.add(transaction as never, [{ channel: "agent_cancellations", value: cancellation, headers }]);
      }),

    forget: async (most) => {
      const { numAffectedRows = 0n } = await sql`
        delete from agent_wait where task_id in (
          select task_id from agent_wait where not exists (
            select 1 from task
            where task.task_id = coalesce(agent_wait.parent_task_id, agent_wait.task_id) and task.finished_at is null)
          limit ${sql.lit(most)})`.execute(db);
      return Number(numAffectedRows);
    },
  };
}

/** Returns the error that replaces a result whose key is missing, so that other results can still be read. */
function unreadable(taskId: string): AgentResult {
  const message = "the encryption key of the result is missing";
  const error = { kind: "internal", message, retryable: false } as const;
  const failed = { status: "FAILURE", output_data: null, error_message: message, error } as const;
  return { run_id: taskId, task_id: taskId, correlation_id: taskId, timestamp: new Date(0).toISOString(), ...failed };
}

const emptyWait = { canceled_at: null, finished_at: null, result: null };

/** Marks results of this zone's tasks. */
const headersOf = (team: string | undefined) => ({
  "reply-to": waitingGroup,
  ...(team !== undefined && { "data-owner": team }),
});

const messageOf = ({ task, team, traceparent }: SentTask) => ({
  channel: "agent_tasks" as const,
  value: task,
  headers: { ...headersOf(team), ...(traceparent !== undefined && { traceparent }) },
});
