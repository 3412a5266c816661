import { ZoneError } from "@crosszone/contracts";
import { type EndTogether, type ExecutionColumn, jobStates, type JobStore, type NewJob } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { columnText, isOutOfRoom, isTransient, patiently } from "@crosszone/sql";
import type { ConversationStatements } from "../../agents/conversations.ts";
import type { ExecutionDatabase } from "../../database/open-execution-database.ts";
import { teamKey } from "../../database/team-key.ts";
import { LeaseLostError, taskKind, type TaskStore } from "../task-store.ts";
import type { NewTask, OpenTask, Task, TaskOutcome } from "../task.ts";
import {
  handleContext,
  isTaskId,
  outcomeContext,
  paramsContext,
  recordOf,
  requestKey,
  taskColumns,
  taskOf,
} from "./task-row.ts";

export interface SqlTaskStoreOptions {
  readonly database: Pick<ExecutionDatabase, "db">;
  readonly jobs: Pick<JobStore<ExecutionColumn>, "add" | "addReading" | "endOpen" | "forget" | "readings">;
  /** Stores ends, with those of the tasks' agent calls. */
  readonly endTogether: Pick<EndTogether<ExecutionColumn>, "end">;
  /** Reads and stores conversations with agents. */
  readonly conversations: ConversationStatements;
  /** How long a finished task is kept, milliseconds. */
  readonly retentionMs: number;
  /** Seals questions, answers and file handles. Without it, handles are not stored, and the rest is plain text. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
}

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

/** Stores tasks as jobs in the zone's database. */
export function createSqlTaskStore(options: SqlTaskStoreOptions): TaskStore {
  const { database, jobs, endTogether, conversations, retentionMs, vault } = options;
  const { db } = database;
  const codec = createRecordCodec(vault);
  const endOf = (taskId: string, outcome: TaskOutcome) => ({
    output: codec.toColumn(outcome, outcomeContext(taskId)),
    own: { error_kind: "error" in outcome ? outcome.error.kind : null },
  });

  const find = async (column: "id" | "key", value: string): Promise<Task | undefined> => {
    const rows = db.selectFrom("job").select(taskColumns).where("kind", "=", taskKind);
    const row = await patiently(() => rows.where(column, "=", value).executeTakeFirst(), { budgetMs: patienceMs });
    return row && taskOf(row, codec);
  };

  function openHandle(taskId: string, sealed: string | null): string | undefined {
    if (sealed === null) return undefined;
    try {
      return vault?.open(sealed, handleContext(taskId));
    } catch {
      return undefined;
    }
  }

  function jobOf({ task_id: id, caller, key, params, ...task }: NewTask): NewJob<ExecutionColumn> {
    const { agent, correlation_id, handle } = task;
    return {
      id,
      kind: taskKind,
      share: taskKind,
      key: requestKey(caller, key),
      as: "leased",
      deadlineMs: task.deadline_ms,
      team: params.team_id === undefined ? null : teamKey(params.team_id),
      record: recordOf({ task_id: id, caller, key, params, ...task }),
      input: codec.toColumn(params, paramsContext(id)),
      own: {
        name: columnText(agent),
        correlation_id: columnText(correlation_id),
        handle: vault === undefined || handle === undefined ? null : vault.seal(handle, handleContext(id)),
      },
    };
  }

  async function add(job: NewJob<ExecutionColumn>, conversationId: string | undefined) {
    if (conversationId === undefined) return { isNew: await jobs.add(job) };
    const { isNew, rows } = await jobs.addReading(job, conversations.finding(conversationId));
    return { isNew, conversation: conversations.found(conversationId, rows) };
  }

  return {
    create: (fresh, conversationId) =>
      reached(async () => {
        const { deadline_ms: _ms, handle: _handle, ...asked } = fresh;
        const { isNew, conversation } = await add(jobOf(fresh), conversationId);
        if (isNew) return { task: { ...asked, state: "working" as const }, created: true, conversation };
        const known = await find("key", requestKey(fresh.caller, fresh.key));
        // The task was deleted in between.
        if (known === undefined) throw new ZoneError("agent_unavailable", { retry_after_ms: 0 });
        return { task: known, created: known.task_id === fresh.task_id };
      }),

    findByKey: (caller, key) => reached(() => find("key", requestKey(caller, key))),

    // Ids come from outside. A text that can't be a task id is not looked up.
    get: async (taskId) => (isTaskId(taskId) ? reached(() => find("id", taskId)) : undefined),

    handleOf: (taskId) =>
      reached(async () => {
        const rows = db.selectFrom("job").select("handle").where("id", "=", taskId).where("kind", "=", taskKind);
        const row = await patiently(() => rows.executeTakeFirst(), { budgetMs: patienceMs });
        return openHandle(taskId, row?.handle ?? null);
      }),

    finished: (taskIds) =>
      reached(async () => {
        if (taskIds.length === 0) return [];
        const ended = db.selectFrom("job").select(taskColumns).where("kind", "=", taskKind);
        const rows = ended.where("state", "=", jobStates.ended).where("id", "in", taskIds);
        return (await patiently(() => rows.execute(), { budgetMs: patienceMs })).map((row) => taskOf(row, codec));
      }),

    recoveredTask: ({ id, attempt, record, input, handle: sealed, remaining_ms }) => {
      const handle = openHandle(id, sealed as string | null);
      const row = { id, state: jobStates.leased, outcome: null, record, input, output: null } as const;
      const task = taskOf(row, codec) as OpenTask;
      return { task, attempt, remainingMs: remaining_ms ?? 0, ...(handle !== undefined && { handle }) };
    },

    end: ({ task, attempt, conversation }, state, outcome) =>
      reached(async (): Promise<Task> => {
        const { params: _asked, ...kept } = task;
        const held = { id: task.task_id, attempt };
        const end = { outcome: state, ...endOf(task.task_id, outcome) };
        const also = conversation === undefined ? [] : [conversations.keeping(conversation)];
        if (await endTogether.end({ held, end }, also)) return { ...kept, state, outcome };
        throw new LeaseLostError(await find("id", task.task_id));
      }),

    cancel: (taskId, outcome) =>
      reached(async () => {
        const known = await find("id", taskId);
        if (known === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
        const canceled = await jobs.endOpen(taskId, { outcome: "canceled", ...endOf(taskId, outcome) });
        const { params: _asked, ...kept } = known;
        if (canceled) return { task: { ...kept, state: "canceled", outcome }, canceledAfterMs: canceled.waited_ms };
        const found = await find("id", taskId);
        if (found === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
        if (found.state !== "canceled") throw new ZoneError("invalid_state_transition", { task_id: taskId });
        return { task: found };
      }),

    forget: (most) => reached(() => jobs.forget(taskKind, retentionMs, most)),

    oldestOpenMs: () => reached(async () => (await jobs.readings(taskKind)).oldestOpenMs),
  };
}

/** While the database is unreachable or full, callers get a retryable error. */
const reached = <T>(operation: () => Promise<T>): Promise<T> =>
  operation().catch((cause: unknown) => {
    if (!isTransient(cause) && !isOutOfRoom(cause)) throw cause;
    throw new ZoneError("agent_unavailable", { retry_after_ms: 1_000 }, { cause });
  });
