import { randomUUIDv7 } from "node:crypto";
import { ZoneError } from "@crosszone/contracts";
import {
  createJobWorker,
  type ExecutionColumn,
  type HeldJob,
  type JobEntry,
  type JobKind,
  type JobWorkerDeps,
  type LetGo,
} from "@crosszone/jobs";
import type { Agent, ReadFile } from "../agents/agent.ts";
import type { ZoneJobs } from "../database/open-jobs.ts";
import { judgeRetry } from "./judge-retry.ts";
import type { PreviewLog } from "./preview-log.ts";
import { failureOf } from "./task-end.ts";
import { createTaskRoom, type TaskRoom } from "./task-room.ts";
import { type RunDeps, type RunOptions, startRun, type TaskRun } from "./task-run.ts";
import { taskKind, type TaskStore } from "./task-store.ts";
import { createTaskWatch, type TaskWatch } from "./task-watch.ts";
import { type HeldTask, isFinal, type NewTask, type Task } from "./task.ts";

export interface TaskRunner extends Pick<TaskRoom, "running" | "changedAt"> {
  /**
   * Stores a new task and runs it in the background, or returns the existing task with the caller's key. Throws
   * `rate_limited` or `shutting_down` when it can't accept a new task.
   */
  submit(task: Omit<NewTask, "task_id">, agent: Agent): Promise<Task>;
  /** Cancels a task in whichever process it runs. Throws `invalid_state_transition` when it has already ended. */
  cancel(task: Task): Promise<Task>;
  /**
   * Waits until the task is final, `waitMs` milliseconds at most, or until the signal aborts. Returns the task as it is
   * then.
   */
  readonly waitUntilFinal: TaskWatch["waitUntilFinal"];
  /** Starts to take over tasks of crashed processes, and to look for tasks that were canceled elsewhere. */
  start(): void;
  /** Returns the reader for files of a task that runs in this process. */
  readerOf(taskId: string): ReadFile | undefined;
  /** Returns the preview of a task that runs in this process. */
  shownOf(taskId: string): PreviewLog | undefined;
  /**
   * Accepts no more tasks and lets running tasks end within `graceMs` milliseconds. Then it releases them, and another
   * process, or the next one, runs them. Tasks that only wait for work elsewhere are released at once.
   */
  stop(graceMs: number): Promise<void>;
}

export interface TaskRunnerDeps extends Omit<RunDeps, "tell" | "store"> {
  readonly store: TaskStore;
  readonly jobs: Pick<JobWorkerDeps<ExecutionColumn>, "store" | "lease"> & Pick<ZoneJobs, "join">;
  /** Returns the agent of that name. Rejects with a retryable error when the agents can't be read. */
  readonly agentOf: (name: string) => Promise<Agent | undefined>;
  readonly maxRunning: number;
  /** The most runs of a task when processes crash. */
  readonly mostAttempts: number;
}

/** Creates the runner. It runs tasks on agents and ends each task, even if a process crashes. */
export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
  const { store, jobs, now, maxRunning, observer, agentOf, mostAttempts } = deps;
  const runs = new Map<string, TaskRun>();
  const room = createTaskRoom(maxRunning, now);
  let stopping = false;
  const { tell, waitUntilFinal } = createTaskWatch({ store, runsHere: (taskId) => runs.has(taskId) });

  const kind: JobKind<ExecutionColumn> = {
    kind: taskKind,
    room: room.left,
    free: room.left,
    reserve: room.reserve,
    run: (job) => {
      const taken = store.takenOf(job);
      const { task, attempt, handle, remainingMs } = taken;
      const agent = async () => judgeRetry(taken, await agentOf(task.agent), mostAttempts);
      return run({ task, attempt }, { agent, handle, remainingMs });
    },
  };
  const worker = createJobWorker({
    store: jobs.store,
    lease: jobs.lease,
    kind,
    observer: {
      storeFailed: (operation, cause) => observer.storeFailed(operation === "release" ? "hand_back" : operation, cause),
      letGo: (_kind, held, why) => void tellOfLoss(held, why),
    },
  });
  jobs.join({
    ...worker,
    kind: taskKind,
    onEnded: (id) => void (runs.has(id) && worker.check()),
    onRenewFailed: (cause) => observer.storeFailed("renew", cause),
  });

  function run(held: HeldTask, options: RunOptions): TaskRun {
    const { task_id } = held.task;
    const started = startRun({ ...deps, tell }, held, options);
    runs.set(task_id, started);
    const leave = room.enter();
    void started.ended.finally(() => {
      if (runs.get(task_id) === started) runs.delete(task_id);
      leave();
    });
    return started;
  }

  /** Tells callers that wait here what became of a task that runs here no longer. */
  async function tellOfLoss({ id }: HeldJob, why: LetGo): Promise<void> {
    const task = runs.get(id)?.task;
    if (task === undefined) return;
    if (why === "stopping") {
      observer.handedBack(task);
      // It still runs, and they poll another process.
      return tell(task);
    }
    const found = await store.get(id).catch(() => undefined);
    observer.letGo(task, found?.state === "canceled" ? "canceled" : "taken_over");
    if (found && isFinal(found.state)) tell(found);
  }

  async function create(entry: JobEntry, fresh: NewTask, agent: Agent): Promise<Task> {
    const { params, handle, deadline_ms: remainingMs } = fresh;
    const { context_id: contextId } = params;
    const conversationId = contextId === undefined ? undefined : agent.conversationOf?.(contextId);
    const { task, created, conversation } = await store.create(fresh, conversationId).catch((error: unknown) => {
      entry.notStored();
      throw error;
    });
    const options = { agent: async () => agent, handle, remainingMs, conversation };
    const begin = (): TaskRun => run({ task: { ...task, params }, attempt: 1 }, options);
    if (created) entry.stored({ id: task.task_id, attempt: 1 }, begin);
    else entry.notStored();
    return task;
  }

  return {
    submit: async (asked, agent) => {
      const entry = worker.enterHere(taskKind);
      if (entry === undefined) {
        const known = await store.findByKey(asked.caller, asked.key);
        if (known) return known;
        throw new ZoneError(stopping ? "shutting_down" : "rate_limited", { retry_after_ms: 1_000 });
      }
      const leave = room.enter();
      // Time-ordered ids are neighbors in the index. With many tasks, random ids cost the database a third more.
      return create(entry, { ...asked, task_id: randomUUIDv7() }, agent).finally(leave);
    },

    cancel: async (asked) => {
      const reason = new ZoneError("canceled");
      const { outcome } = failureOf(asked, reason);
      const { task, canceledAfterMs } = await store.cancel(asked.task_id, outcome);
      const runsHere = runs.get(task.task_id);
      if (runsHere !== undefined) runsHere.drop("canceled");
      else if (canceledAfterMs !== undefined) cancelElsewhere(task);
      tell(task);
      if (canceledAfterMs !== undefined) observer.ended(task, { durationMs: canceledAfterMs, kind: reason.kind });
      return task;
    },

    waitUntilFinal,
    start: worker.start,
    readerOf: (taskId) => runs.get(taskId)?.readFile,
    shownOf: (taskId) => runs.get(taskId)?.shown,

    get running() {
      return room.running;
    },

    get changedAt() {
      return room.changedAt;
    },

    stop: (graceMs) => {
      stopping = true;
      return worker.stop(graceMs);
    },
  };

  /** Without this, the agent's work ends only when its process notices the cancel, or never. */
  function cancelElsewhere(task: Task): void {
    agentOf(task.agent).then(
      (agent) => agent?.cancelElsewhere?.(task),
      (cause: unknown) => observer.storeFailed("cancel", cause),
    );
  }
}
