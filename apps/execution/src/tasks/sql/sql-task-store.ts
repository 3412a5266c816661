import { ZoneError } from "@crosszone/contracts";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { columnText, createGroupCommit, deleteOlder, isOutOfRoom, isTransient, now, patiently } from "@crosszone/sql";
import { sql } from "kysely";
import type { ExecutionDatabase } from "../../database/open-execution-database.ts";
import { isTaskId } from "../task-id.ts";
import { LeaseLostError, type TaskStore } from "../task-store.ts";
import type { HeldTask, NewTask, OpenTask, TakenTask, Task, TaskOutcome } from "../task.ts";
import { teamKey } from "../team-key.ts";
import { cancelRow, oldestOpenMs, takeRows, type TakenRow } from "./task-queries.ts";
import { handleContext, outcomeContext, paramsContext, recordOf, requestKey, taskColumns, taskOf } from "./task-row.ts";
import { taskStatements } from "./task-statements.ts";
import type { TaskTable } from "./task-table.ts";

export interface SqlTaskStoreOptions {
  /** The unique id of this process: a UUID. */
  readonly owner: string;
  /** How long a lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** How long a finished task is kept, milliseconds. */
  readonly retentionMs: number;
  /** Seals questions, answers and file handles. Without it, handles are not stored, and the rest is plain text. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
  /** How long an operation is retried while the database is unreachable, milliseconds (default 1,000). */
  readonly patienceMs?: number;
  /** Lets concurrent writes share a transaction; `createGroupCommit` when absent. */
  readonly group?: typeof createGroupCommit;
  /** Called for each group of writes. */
  readonly onCommit?: (group: { readonly tasks: number; readonly durationMs: number }) => void;
}

/** Stores tasks in the zone's database. Concurrent creations and endings share a transaction. */
export function createSqlTaskStore(database: ExecutionDatabase, options: SqlTaskStoreOptions): TaskStore {
  const { owner, leaseMs, retentionMs, vault, patienceMs = 1_000, group = createGroupCommit, onCommit } = options;
  const { db, engine } = database;
  const codec = createRecordCodec(vault);
  const outcomeOf = (taskId: string, outcome: TaskOutcome) => codec.toColumn(outcome, outcomeContext(taskId));
  const kindOf = (outcome: TaskOutcome) => ("error" in outcome ? outcome.error.kind : null);
  const statements = taskStatements(now(engine).compile(db).sql);
  const lease = ({ task, attempt }: HeldTask) => ({ task_id: task.task_id, owner, attempt });
  const leases = ({ task, attempt }: HeldTask) => ({ task_id: task.task_id, owner, attempt, lease_ms: leaseMs });
  // A subquery, evaluated once for all rows, so that the index is used.
  const old = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  const reach = <T>(operation: () => Promise<T>): Promise<T> =>
    patiently(operation, { budgetMs: patienceMs }).catch((cause: unknown) => {
      throw isTransient(cause) || isOutOfRoom(cause)
        ? new ZoneError("agent_unavailable", { retry_after_ms: 1_000 }, { cause })
        : cause;
    });

  const timed = async (write: Promise<readonly boolean[]>): Promise<readonly boolean[]> => {
    const startedAt = performance.now();
    const changed = await write;
    onCommit?.({ tasks: changed.length, durationMs: performance.now() - startedAt });
    return changed;
  };
  const create = group((rows: readonly ReturnType<typeof newRow>[]) => timed(database.write(statements.create, rows)));
  const end = group(
    (
      rows: readonly (ReturnType<typeof lease> & Record<"state" | "outcome", string> & Pick<TaskTable, "error_kind">)[],
    ) => timed(database.write(statements.end, rows)),
  );

  const newRow = (task: NewTask) => ({
    task_id: task.task_id,
    owner,
    attempt: 1,
    request_key: requestKey(task.caller, task.key),
    lease_ms: leaseMs,
    deadline_ms: task.deadline_ms,
    team: task.params.team_id === undefined ? null : teamKey(task.params.team_id),
    agent: columnText(task.agent),
    correlation_id: columnText(task.correlation_id),
    record: recordOf(task),
    params: codec.toColumn(task.params, paramsContext(task.task_id)),
    handle:
      vault === undefined || task.handle === undefined ? null : vault.seal(task.handle, handleContext(task.task_id)),
  });

  const find = async (column: "task_id" | "request_key", value: string) => {
    const row = await db
      .selectFrom("task")
      .select([...taskColumns, "owner", "attempt"])
      .where(column, "=", value)
      .executeTakeFirst();
    return row && { task: taskOf(row, codec), owner: row.owner, attempt: row.attempt };
  };

  function openHandle(taskId: string, sealed: string | null): string | undefined {
    if (sealed === null) return undefined;
    try {
      return vault?.open(sealed, handleContext(taskId));
    } catch {
      return undefined;
    }
  }

  const takenOf = (row: TakenRow): TakenTask => {
    const handle = openHandle(row.task_id, row.handle);
    const { attempt, remaining_ms: remainingMs } = row;
    return { task: taskOf(row, codec) as OpenTask, attempt, remainingMs, ...(handle !== undefined && { handle }) };
  };

  return {
    leaseMs,

    create: (fresh) => {
      const row = newRow(fresh);
      return reach(async () => {
        const { deadline_ms: _ms, handle: _handle, ...asked } = fresh;
        if (await create(row)) return { task: { ...asked, state: "working" as const }, created: true };
        const known = await find("request_key", row.request_key);
        // The task was deleted in between.
        if (known === undefined) throw new ZoneError("agent_unavailable", { retry_after_ms: 0 });
        return { task: known.task, created: known.task.task_id === fresh.task_id };
      });
    },

    findByKey: (caller, key) => reach(async () => (await find("request_key", requestKey(caller, key)))?.task),

    // Ids come from outside. A text that can't be a task id is not looked up.
    get: async (taskId) => (isTaskId(taskId) ? reach(async () => (await find("task_id", taskId))?.task) : undefined),

    handleOf: (taskId) =>
      reach(async () => {
        const row = await db.selectFrom("task").select("handle").where("task_id", "=", taskId).executeTakeFirst();
        return openHandle(taskId, row?.handle ?? null);
      }),

    finished: (taskIds) =>
      reach(async () => {
        if (taskIds.length === 0) return [];
        const ended = db.selectFrom("task").select(taskColumns).where("finished_at", "is not", null);
        return (await ended.where("task_id", "in", taskIds).execute()).map((row) => taskOf(row, codec));
      }),

    end: (held, state, outcome) => {
      const { params: _asked, ...kept } = held.task;
      const stored = { outcome: outcomeOf(held.task.task_id, outcome), error_kind: kindOf(outcome) };
      const row = { ...lease(held), state, ...stored };
      return reach(async (): Promise<Task> => {
        const ended = { ...kept, state, outcome };
        if (await end(row)) return ended;
        const found = await find("task_id", row.task_id);
        // The write succeeded, but its answer was lost.
        if (found?.owner === owner && found.attempt === row.attempt && found.task.state === state) return found.task;
        throw new LeaseLostError(found?.task);
      });
    },

    cancel: (taskId, outcome) =>
      reach(async () => {
        const canceled = await cancelRow(database, {
          taskId,
          outcome: outcomeOf(taskId, outcome),
          kind: kindOf(outcome),
        });
        if (canceled) return { task: taskOf(canceled.row, codec), canceledAfterMs: canceled.afterMs };
        const found = await find("task_id", taskId);
        if (found === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
        if (found.task.state !== "canceled") throw new ZoneError("invalid_state_transition", { task_id: taskId });
        return { task: found.task };
      }),

    renew: (held) =>
      reach(async () => {
        const renewed = await database.write(statements.renew, held.map(leases));
        return held.filter((_, index) => !renewed[index]);
      }),

    lost: (held) =>
      reach(async () => {
        if (held.length === 0) return [];
        const ids = held.map(({ task }) => task.task_id);
        const rows = db.selectFrom("task").select(["task_id", "attempt"]).where("owner", "=", owner);
        const open = await rows.where("finished_at", "is", null).where("task_id", "in", ids).execute();
        const attempts = new Map(open.map(({ task_id, attempt }) => [task_id, attempt]));
        return held.filter(({ task, attempt }) => attempts.get(task.task_id) !== attempt);
      }),

    handBack: (held) => reach(async () => void (await database.write(statements.handBack, held.map(lease)))),

    take: (most, running) =>
      reach(async () => (await takeRows(database, { owner, leaseMs, most, running })).map(takenOf)),

    forget: (most) =>
      reach(() => deleteOlder(db, { table: "task", key: "task_id", column: "finished_at", before: old }, most)),

    oldestOpenMs: () => reach(() => oldestOpenMs(database)),
  };
}
