import type { ExecutionColumn } from "@crosszone/agent-calls";
import { type ListPersonTasksParams, type PersonTask, ZoneError } from "@crosszone/contracts";
import { jobStates, type JobStore, type LeasedJob } from "@crosszone/jobs";
import { isoTime, opened, type Vault } from "@crosszone/service-kit";
import { narrowedTo, retryBriefly } from "@crosszone/sql";
import { sql } from "kysely";
import {
  type Conversation,
  type Conversations,
  createSqlConversations,
  type KeptConversation,
} from "../../agents/conversations.ts";
import {
  type ExecutionDatabase,
  openExecutionDatabase,
  openJobs,
  type OpenJobsOptions,
  teamKey,
  zoneUnavailable,
} from "../../store/open-execution-database.ts";
import {
  type LeasedTask,
  type NewTask,
  type OpenTask,
  type PausedTask,
  type Task,
  type TaskEnd,
  taskKind,
  type TaskOutcome,
  type TaskParams,
} from "../task.ts";
import { type AskedTasks, createAskedTasks } from "./asked-tasks.ts";
import {
  createTaskCodec,
  isTaskId,
  pausedMark,
  requestKey,
  type TaskCodec,
  taskColumns,
  taskStateOf,
} from "./task-codec.ts";
import { TaskLog } from "./task-log.ts";

interface TaskStoreOptions {
  readonly database: ExecutionDatabase;
  readonly jobs: JobStore<ExecutionColumn>;
  readonly conversations: Conversations;
  /** How long a finished task is kept, milliseconds. */
  readonly retentionMs: number;
  /** Seals questions, answers and file handles. Without it, handles are not stored, and the rest is plain text. */
  readonly vault?: Vault;
}

/**
 * Stores tasks as jobs, for one process of the zone; other processes may share the storage. A running task is leased to
 * its process, and only the holder of the lease may end it. Every method is idempotent: repeating a call whose answer
 * was lost returns that answer.
 */
export class TaskStore {
  /** What tasks of programs show while they run. */
  readonly log: TaskLog;
  /** The tasks of programs. */
  readonly asked: AskedTasks;
  readonly #options: TaskStoreOptions;
  readonly #codec: TaskCodec;

  constructor(options: TaskStoreOptions) {
    this.#options = options;
    const { database, jobs, vault, retentionMs } = options;
    this.asked = createAskedTasks(database, vault);
    this.log = new TaskLog({ database, owner: () => jobs.owner(), vault, retentionMs });
    this.#codec = createTaskCodec(options.vault);
  }

  /**
   * Stores a new task, working and leased to this process, or returns the existing task of the same caller and key;
   * `created` says which. A key never creates two tasks. Durable when it resolves. Reads the conversation of an agent,
   * by its id, with it: as it was before the task.
   */
  async create(
    fresh: NewTask,
    conversationId?: string,
  ): Promise<{ readonly task: Task; readonly created: boolean; readonly conversation?: Conversation }> {
    // A known task may be deleted before it is read. Its key is free then.
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { isNew, conversation } = await this.#add(fresh, conversationId);
      const { deadline_ms: _ms, handle: _handle, ...asked } = fresh;
      if (isNew) return { task: { ...asked, state: "working" }, created: true, conversation };
      const known = await this.#find("key", requestKey(fresh.caller, fresh.key));
      if (known !== undefined) return { task: known, created: known.task_id === fresh.task_id };
    }
    throw zoneUnavailable("the database is busy");
  }

  findByKey(caller: string, key: string): Promise<Task | undefined> {
    return this.#find("key", requestKey(caller, key));
  }

  /** Returns the task; undefined when unknown or deleted. Ids come from outside: a text that can't be a task id is not looked up. */
  async get(taskId: string): Promise<Task | undefined> {
    return isTaskId(taskId) ? this.#find("id", taskId) : undefined;
  }

  /** Returns the handle for the files of an open task; undefined when it was not stored. */
  async handleOf(taskId: string): Promise<string | undefined> {
    const found = this.#tasks().select("handle").where("id", "=", taskId);
    const row = await retryBriefly(() => found.executeTakeFirst());
    return this.#codec.openHandle(taskId, row?.handle ?? null);
  }

  /** Returns those of the tasks that have ended or wait for people, a few: each may be large. */
  async settled(taskIds: readonly string[]): Promise<readonly Task[]> {
    if (taskIds.length === 0) return [];
    const settled = this.#tasks().select(taskColumns).where("id", "in", taskIds).where(isSettled).limit(mostSettled);
    // Those whose key is missing are left to the processes that have it.
    return (await retryBriefly(() => settled.execute())).flatMap((row) => opened(() => this.#codec.taskOf(row)) ?? []);
  }

  /** Returns the latest tasks of a caller of the zone link that a person asked for, newest first. */
  async ofPerson(caller: string, { user_id, team_id, since }: ListPersonTasksParams): Promise<readonly PersonTask[]> {
    const ofDay = this.#tasks().where(narrowedTo({ person: user_id, since: Date.parse(since) }, "id"));
    const latest = ofDay.where("team", "=", teamKey(team_id)).orderBy("created_at", "desc").orderBy("id", "desc");
    const columns = ["id", "state", "outcome", pausedMark, "record", "created_at"] as const;
    const rows = await retryBriefly(() => latest.select(columns).limit(mostOfPerson).execute());
    return rows.flatMap(({ id: task_id, record, created_at, ...at }) => {
      const { caller: of, key, correlation_id, agent } = JSON.parse(record) as Task;
      if (of !== caller) return [];
      const ids = { task_id, request_id: String(JSON.parse(key)), correlation_id, agent };
      return [{ ...ids, state: taskStateOf(at), created_at: isoTime(created_at) }];
    });
  }

  /** Returns the columns of a task that waits for people. */
  pausedColumns({ task_id }: OpenTask, paused: PausedTask): { readonly paused: string; readonly changed_at: number } {
    return { paused: this.#codec.pausedColumn(task_id, paused), changed_at: Date.now() };
  }

  /** Reads a task that this process has taken over. */
  recoveredTask(job: LeasedJob<ExecutionColumn>): LeasedTask {
    return this.#codec.recoveredTask(job);
  }

  /**
   * Returns a task as it is when its end is stored, and what its worker stores: its end, and its conversation, if any, in the same commit.
   */
  endOf(task: OpenTask, { state, outcome: came }: TaskEnd, conversation?: KeptConversation) {
    const { params, paused: _paused, ...kept } = task;
    const outcome = withMessage(came, params);
    const end = { outcome: state, ...this.#codec.endOf(task.task_id, outcome) };
    const also = conversation === undefined ? [] : [this.#options.conversations.keeping(conversation)];
    const ended: Task = { ...kept, state, outcome };
    return { task: ended, ending: { end, also } };
  }

  /**
   * Cancels a task in whichever process it runs. `canceledAfterMs` is its age at that time; undefined when it was
   * canceled before. Rejects with `invalid_state_transition` when it ended otherwise, `task_not_found` when it is
   * deleted.
   */
  async cancel(
    taskId: string,
    outcome: TaskOutcome,
  ): Promise<{ readonly task: Task; readonly canceledAfterMs?: number }> {
    const known = await this.#find("id", taskId);
    if (known === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
    const { params, paused: _paused, ...kept } = known;
    const end = { outcome: "canceled", ...this.#codec.endOf(taskId, withMessage(outcome, params)) };
    const canceled = await this.#options.jobs.endOpen(taskId, end);
    if (canceled) return { task: { ...kept, state: "canceled", outcome }, canceledAfterMs: canceled.waited_ms };
    const found = await this.#find("id", taskId);
    if (found === undefined) throw new ZoneError("task_not_found", { task_id: taskId });
    if (found.state !== "canceled") throw new ZoneError("invalid_state_transition", { task_id: taskId });
    return { task: found };
  }

  /** Deletes finished tasks older than the retention time, with their keys, `most` at most. Returns how many. */
  forget(most: number): Promise<number> {
    return this.#options.jobs.forget(taskKind, this.#options.retentionMs, most);
  }

  /** Returns the age of the oldest unfinished task, milliseconds; 0 without one. */
  async oldestOpenMs(): Promise<number> {
    return (await this.#options.jobs.readings(taskKind)).oldestOpenMs;
  }

  async #add(
    fresh: NewTask,
    conversationId: string | undefined,
  ): Promise<{ readonly isNew: boolean; readonly conversation?: Conversation }> {
    const { jobs, conversations } = this.#options;
    const job = this.#codec.jobOf(fresh);
    if (conversationId === undefined) return { isNew: await jobs.add(job) };
    const { isNew, rows } = await jobs.addReading(job, conversations.finding(conversationId));
    return { isNew, conversation: conversations.found(conversationId, rows) };
  }

  async #find(column: "id" | "key", value: string): Promise<Task | undefined> {
    const found = this.#tasks().select(taskColumns).where(column, "=", value);
    const row = await retryBriefly(() => found.executeTakeFirst());
    return row && this.#codec.taskOf(row);
  }

  #tasks() {
    return this.#options.database.db.selectFrom("job").where("kind", "=", taskKind);
  }
}

const withMessage = (outcome: TaskOutcome, params: TaskParams | undefined): TaskOutcome =>
  params?.message === undefined ? outcome : { ...outcome, message: params.message };

const mostSettled = 20;
const mostOfPerson = 50;

/** A paused task whose requests are all closed is about to continue. */
const isSettled = sql<boolean>`(state = ${sql.lit(jobStates.ended)} or (state = ${sql.lit(jobStates.ready)} and paused is not null
  and exists (select 1 from input_request where input_request.task_id = job.id and input_request.state = 'open')))`;

export interface OpenTaskStoreOptions extends Partial<OpenJobsOptions> {
  /** As for `openDatabase`; in memory when absent. */
  readonly url?: string;
  readonly retentionMs?: number;
  readonly vault?: Vault;
}

export type OpenedTaskStore = Awaited<ReturnType<typeof openTaskStore>>;

/**
 * Opens a task store on its own database with default settings, for tests and for tools that store nothing. The process's lease has begun, and
 * ends when the database is closed.
 */
export async function openTaskStore(options: OpenTaskStoreOptions = {}) {
  const { url = "sqlite::memory:", leaseMs = 10_000, retentionMs = 86_400_000, vault, ...writes } = options;
  const database = await openExecutionDatabase({ url });
  const jobs = openJobs(database, { leaseMs, ...writes });
  await jobs.start();
  const conversations = createSqlConversations(database, { vault, retentionMs });
  const store = new TaskStore({ database, jobs: jobs.store, conversations, retentionMs, vault });
  const close = async (): Promise<void> => {
    await jobs.stop();
    await database.close();
  };
  return { store, jobs, database: { ...database, close } };
}
