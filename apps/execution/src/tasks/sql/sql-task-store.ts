import { ZoneError } from "@crosszone/contracts";
import { jobStates, type EndTogether, type ExecutionColumn, type JobStore } from "@crosszone/jobs";
import type { Vault } from "@crosszone/service-kit";
import { isOutOfRoom, isTransient, retryBriefly } from "@crosszone/sql";
import type { ConversationStatements } from "../../agents/conversations.ts";
import type { ExecutionDatabase } from "../../database/open-execution-database.ts";
import { taskKind, type CreatedTask, type TaskStore } from "../task-store.ts";
import type { NewTask, Task } from "../task.ts";
import { createTaskCodec, type TaskCodec } from "./task-codec.ts";
import { isTaskId, requestKey, taskColumns } from "./task-row.ts";

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
  readonly vault?: Pick<Vault, "seal" | "open">;
}

/** Stores tasks as jobs in the zone's database. */
export function createSqlTaskStore(options: SqlTaskStoreOptions): TaskStore {
  const { database, jobs, endTogether, conversations, retentionMs, vault } = options;
  const codec = createTaskCodec(vault);
  const rows = createTaskRows(database, codec);
  return {
    create: (fresh, conversationId) =>
      retryableOnOutage(async (): Promise<CreatedTask> => {
        const { isNew, conversation } = await add(options, codec, { fresh, conversationId });
        const { deadline_ms: _ms, handle: _handle, ...asked } = fresh;
        if (isNew) return { task: { ...asked, state: "working" as const }, created: true, conversation };
        const known = await rows.find("key", requestKey(fresh.caller, fresh.key));
        // The task was deleted in between.
        if (known === undefined) throw new ZoneError("agent_unavailable", { retry_after_ms: 0 });
        return { task: known, created: known.task_id === fresh.task_id };
      }),

    findByKey: (caller, key) => retryableOnOutage(() => rows.find("key", requestKey(caller, key))),

    // Ids come from outside. A text that can't be a task id is not looked up.
    get: async (taskId) => (isTaskId(taskId) ? retryableOnOutage(() => rows.find("id", taskId)) : undefined),
    handleOf: (taskId) => retryableOnOutage(() => rows.handleOf(taskId)),
    finished: (taskIds) => retryableOnOutage(() => rows.finished(taskIds)),
    recoveredTask: codec.recoveredTask,

    end: ({ task, attempt, conversation }, state, outcome) =>
      retryableOnOutage(async () => {
        const { params: _asked, ...kept } = task;
        const leaseId = { id: task.task_id, attempt };
        const end = { outcome: state, ...codec.endOf(task.task_id, outcome) };
        const also = conversation === undefined ? [] : [conversations.keeping(conversation)];
        return (await endTogether.end({ leaseId, end }, also)) ? { ...kept, state, outcome } : undefined;
      }),

    cancel: (taskId, outcome) =>
      retryableOnOutage(async () => {
        const known = await rows.find("id", taskId);
        if (known === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
        const canceled = await jobs.endOpen(taskId, { outcome: "canceled", ...codec.endOf(taskId, outcome) });
        const { params: _asked, ...kept } = known;
        if (canceled) return { task: { ...kept, state: "canceled", outcome }, canceledAfterMs: canceled.waited_ms };
        const found = await rows.find("id", taskId);
        if (found === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
        if (found.state !== "canceled") throw new ZoneError("invalid_state_transition", { task_id: taskId });
        return { task: found };
      }),

    forget: (most) => retryableOnOutage(() => jobs.forget(taskKind, retentionMs, most)),
    oldestOpenMs: () => retryableOnOutage(async () => (await jobs.readings(taskKind)).oldestOpenMs),
  };
}

async function add(
  { jobs, conversations }: Pick<SqlTaskStoreOptions, "jobs" | "conversations">,
  { jobOf }: Pick<TaskCodec, "jobOf">,
  { fresh, conversationId }: { readonly fresh: NewTask; readonly conversationId: string | undefined },
) {
  const job = jobOf(fresh);
  if (conversationId === undefined) return { isNew: await jobs.add(job) };
  const { isNew, rows } = await jobs.addReading(job, conversations.finding(conversationId));
  return { isNew, conversation: conversations.found(conversationId, rows) };
}

/** Creates the reads of tasks. */
function createTaskRows({ db }: Pick<ExecutionDatabase, "db">, codec: TaskCodec) {
  const ofTasks = db.selectFrom("job").where("kind", "=", taskKind);
  return {
    find: async (column: "id" | "key", value: string): Promise<Task | undefined> => {
      const found = ofTasks.select(taskColumns).where(column, "=", value);
      const row = await retryBriefly(() => found.executeTakeFirst());
      return row && codec.taskOf(row);
    },
    handleOf: async (taskId: string): Promise<string | undefined> => {
      const found = ofTasks.select("handle").where("id", "=", taskId);
      const row = await retryBriefly(() => found.executeTakeFirst());
      return codec.openHandle(taskId, row?.handle ?? null);
    },
    finished: async (taskIds: readonly string[]): Promise<Task[]> => {
      if (taskIds.length === 0) return [];
      const ended = ofTasks.select(taskColumns).where("state", "=", jobStates.ended).where("id", "in", taskIds);
      return (await retryBriefly(() => ended.execute())).map(codec.taskOf);
    },
  };
}

/** While the database is unreachable or full, callers get a retryable error. */
const retryableOnOutage = <T>(operation: () => Promise<T>): Promise<T> =>
  operation().catch((cause: unknown) => {
    if (!isTransient(cause) && !isOutOfRoom(cause)) throw cause;
    throw new ZoneError("agent_unavailable", { retry_after_ms: 1_000 }, { cause });
  });
