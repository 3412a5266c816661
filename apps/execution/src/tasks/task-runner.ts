import { randomUUIDv7 } from "node:crypto";
import { ZoneError } from "@crosszone/contracts";
import type { ExecutionColumn } from "@crosszone/agent-calls";
import type { JobKind, JobWorker } from "@crosszone/jobs";
import type { Agent, ReadFile } from "../agents/agent.ts";
import { EndWatch } from "../database/end-watch.ts";
import type { ZoneJobs } from "../database/open-execution-database.ts";
import type { PreviewLog } from "./preview-log.ts";
import { judgeRetry } from "./run-agent.ts";
import { createRunningTasks, type RunningTasks, type RunningTasksDeps, type TaskRoom } from "./running-tasks.ts";
import { failureOf, isFinal, type NewTask, reportEnd, type Task, taskKind } from "./task.ts";
import type { TaskJob } from "./task-job.ts";
import type { TaskStore } from "./sql/task-store.ts";

export interface TaskRunner {
  /** How many tasks run or are about to. */
  readonly running: TaskRoom["running"];
  /** When `running` last rose above 0 or fell back to 0, Unix milliseconds. */
  readonly changedAt: TaskRoom["changedAt"];
  /**
   * Stores a new task and runs it in the background, or returns the existing task with the caller's key. Throws
   * `rate_limited` or `shutting_down` when it can't accept a new task.
   */
  submit(task: Omit<NewTask, "task_id">, agent: Agent): Promise<Task>;
  /** Cancels a task in whichever process it runs. Throws `invalid_state_transition` when it has already ended. */
  cancel(task: Task): Promise<Task>;
  /**
   * Waits until the task has ended or waits for people, `waitMs` milliseconds at most, or until the signal aborts. Returns the task as it is
   * then.
   */
  waitUntilSettled(task: Task, waitMs: number, signal?: AbortSignal): Promise<Task>;
  /** Starts to take over tasks of crashed processes, and to look for tasks that were canceled elsewhere. */
  start(): void;
  /** Returns the reader for files of a task that runs in this process. */
  readonly readerOf: (taskId: string) => ReadFile | undefined;
  /** Returns the preview of a task that runs in this process. */
  shownOf(taskId: string): PreviewLog | undefined;
  /**
   * Accepts no more tasks and lets running tasks end within `graceMs` milliseconds. Then it releases them, and another
   * process, or the next one, runs them. Tasks that only wait for work elsewhere are released at once.
   */
  stop(graceMs: number): Promise<void>;
}

export interface TaskRunnerDeps extends Omit<RunningTasksDeps, "notify" | "store"> {
  readonly store: TaskStore;
  readonly jobs: ZoneJobs;
  /** Returns the agent of that name. Rejects when the agents can't be read. */
  readonly agentOf: (name: string) => Promise<Agent | undefined>;
  /** The most runs of a task when processes crash. */
  readonly mostAttempts: number;
}

/** How often tasks that run elsewhere are read while a caller waits, milliseconds. */
const pollMs = 200;

/** Creates the runner. It runs tasks on agents and ends each task, even if a process crashes. */
export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
  const { store } = deps;
  const runsHere = (taskId: string): boolean => worker.has(taskId);
  // Tasks of this process wake their waiting callers.
  const read = async (ids: readonly string[]): Promise<ReadonlyMap<string, Task>> => {
    const settled = await store.settled(ids.filter((id) => !runsHere(id)));
    return new Map(settled.map((task) => [task.task_id, task]));
  };
  const watch = new EndWatch<Task>({ read, pausesMs: [pollMs, pollMs] });
  const notify = (task: Task): void => void watch.deliver(task.task_id, task);
  const tasks = createRunningTasks({ ...deps, notify });
  const { room } = tasks;
  const worker = createTaskWorker(deps, tasks);
  let stopping = false;

  return {
    submit: async (asked, agent) => {
      // Time-ordered ids are neighbors in the index. With many tasks, random ids cost the database a third more.
      const fresh = { ...asked, task_id: randomUUIDv7() };
      const creating = createTask(deps, worker, { fresh, agent });
      if (creating !== undefined) return creating.finally(room.enter());
      const known = await store.findByKey(asked.caller, asked.key);
      if (known) return known;
      throw new ZoneError(stopping ? "shutting_down" : "rate_limited", { retry_after_ms: 1_000 });
    },
    cancel: (task) => cancelTask(deps, { worker, notify }, task),
    waitUntilSettled: async (task, waitMs, signal) => {
      if (isFinal(task.state) || waitMs <= 0 || signal?.aborted) return task;
      // A task elsewhere may have ended since it was read, so its first read is immediate.
      const firstMs = runsHere(task.task_id) ? pollMs : 0;
      return (await watch.waitAtMost(task.task_id, waitMs, { signal, firstMs })) ?? task;
    },
    start: worker.start,
    readerOf: (taskId) => tasks.get(taskId)?.readFile,
    shownOf: (taskId) => tasks.get(taskId)?.shown,
    running: room.running,
    changedAt: room.changedAt,
    stop: (graceMs) => {
      stopping = true;
      return worker.stop(graceMs);
    },
  };
}

/** Creates the worker that runs tasks, and takes over those of crashed processes. */
function createTaskWorker(deps: TaskRunnerDeps, { room, run, lost }: RunningTasks): JobWorker<TaskJob> {
  const { store, jobs, emit, agentOf, mostAttempts } = deps;
  const failed = (operation: string, cause: unknown): void => emit("task_store_failed", { operation, cause });
  const kind: JobKind<ExecutionColumn, TaskJob> = {
    kind: taskKind,
    room: room.left,
    free: room.left,
    reserve: room.reserve,
    read: (row) => {
      const recovered = store.recoveredTask(row);
      const agent = async () => judgeRetry(recovered, await agentOf(recovered.task.agent), mostAttempts);
      return { id: row.id, ...recovered, agent };
    },
    run,
    lost,
  };
  return jobs.workOn(kind, failed);
}

/** Stores a new task and starts it, or returns the existing task with the caller's key. Returns undefined without room. */
function createTask(
  { store }: TaskRunnerDeps,
  worker: JobWorker<TaskJob>,
  { fresh, agent }: { readonly fresh: NewTask; readonly agent: Agent },
): Promise<Task> | undefined {
  const { task_id: id, params, handle, deadline_ms: remainingMs } = fresh;
  const { context_id: contextId } = params;
  const conversationId = contextId === undefined ? undefined : agent.conversationOf?.(contextId);
  const created = worker.addHere(
    taskKind,
    () => store.create(fresh, conversationId),
    ({ task: stored, created: isNew, conversation }) => {
      if (!isNew) return undefined;
      return {
        id,
        attempt: 1,
        task: { ...stored, params },
        agent: async () => agent,
        handle,
        remainingMs,
        conversation,
      };
    },
  );
  return created?.then(({ task }) => task);
}

/** Cancels a task in whichever process it runs. */
async function cancelTask(
  { store, inputs, emit, agentOf }: TaskRunnerDeps,
  { worker, notify }: { readonly worker: Pick<JobWorker, "cancel">; readonly notify: (task: Task) => void },
  asked: Task,
): Promise<Task> {
  const reason = new ZoneError("canceled");
  const { outcome } = failureOf(asked, reason);
  const { task, canceledAfterMs } = await store.cancel(asked.task_id, outcome);
  if (!worker.cancel(task.task_id) && canceledAfterMs !== undefined)
    // Without this, the agent's work ends only when its process notices the cancel, or never.
    agentOf(task.agent).then(
      (agent) => agent?.cancelElsewhere?.(asked),
      (cause: unknown) => emit("task_store_failed", { operation: "cancel", cause }),
    );
  notify(task);
  inputs.withdraw(task.task_id).catch((cause: unknown) => emit("task_store_failed", { operation: "cancel", cause }));
  if (canceledAfterMs !== undefined) reportEnd(emit, task, { durationMs: canceledAfterMs, kind: reason.kind });
  return task;
}
