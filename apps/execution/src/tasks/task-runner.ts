import { randomUUIDv7 } from "node:crypto";
import { ZoneError } from "@crosszone/contracts";
import type { Agent, ReadFile } from "../agents/agent.ts";
import { judgeRetry } from "./judge-retry.ts";
import { keepLeases } from "./keep-leases.ts";
import type { PreviewLog } from "./preview-log.ts";
import { repeat, type Repeated } from "./repeat.ts";
import { takeLostTasks } from "./take-lost-tasks.ts";
import { failureOf } from "./task-end.ts";
import { startRun, type RunDeps, type RunOptions, type TaskRun } from "./task-run.ts";
import type { TaskStore } from "./task-store.ts";
import { createTaskWatch, type TaskWatch } from "./task-watch.ts";
import type { HeldTask, NewTask, TakenTask, Task } from "./task.ts";

export interface TaskRunner {
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
  /** Starts to renew the leases of running tasks and to take over tasks of crashed processes. */
  start(): void;
  /** Returns the reader for files of a task that runs in this process. */
  readerOf(taskId: string): ReadFile | undefined;
  /** Returns the preview of a task that runs in this process. */
  shownOf(taskId: string): PreviewLog | undefined;
  /** How many tasks run or are about to. */
  readonly running: number;
  /** When `running` last rose above 0 or fell back to 0, Unix milliseconds; initially the start of the runner. */
  readonly changedAt: number;
  /**
   * Accepts no more tasks and lets running tasks end within `graceMs` milliseconds. Then it releases them, and another
   * process, or the next one, runs them. Tasks that only wait for work elsewhere are released at once.
   */
  stop(graceMs: number): Promise<void>;
}

export interface TaskRunnerDeps extends Omit<RunDeps, "tell" | "store"> {
  readonly store: TaskStore;
  /** Returns the agent of that name. Rejects with a retryable error when the agents can't be read. */
  readonly agentOf: (name: string) => Promise<Agent | undefined>;
  readonly maxRunning: number;
  /** The most runs of a task when processes crash. */
  readonly mostAttempts: number;
}

/** Creates the runner. It runs tasks on agents and ends each task, even if a process crashes. */
export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
  const { store, now, maxRunning, observer, agentOf, mostAttempts } = deps;
  const { leaseMs } = store;
  const running = new Map<string, TaskRun>();
  let loops: Repeated[] = [];
  let starting = 0;
  let stopping = false;
  let wasBusy = false;
  let changedAt = now().getTime();

  const { tell, waitUntilFinal } = createTaskWatch({ store, runsHere: (taskId) => running.has(taskId) });
  const roomLeft = (): number => (stopping ? 0 : maxRunning - running.size - starting);

  function run(held: HeldTask, options: RunOptions): void {
    const { task_id } = held.task;
    if (running.has(task_id)) return;
    const started = startRun({ ...deps, tell }, held, options);
    running.set(task_id, started);
    noteChange();
    void started.ended.finally(() => {
      running.delete(task_id);
      noteChange();
    });
  }

  function noteChange(): void {
    const isBusy = running.size + starting > 0;
    if (isBusy !== wasBusy) changedAt = now().getTime();
    wasBusy = isBusy;
  }

  async function runAgain(taken: TakenTask): Promise<void> {
    const { task, attempt, handle, remainingMs } = taken;
    const agent = await judgeRetry(taken, await agentOf(task.agent), mostAttempts);
    run({ task, attempt }, { agent, handle, remainingMs });
  }

  return {
    submit: async (asked, agent) => {
      if (roomLeft() <= 0) {
        const known = await store.findByKey(asked.caller, asked.key);
        if (known) return known;
        throw new ZoneError(stopping ? "shutting_down" : "rate_limited", { retry_after_ms: 1_000 });
      }
      // Time-ordered ids are neighbors in the index. With many tasks, random ids cost the database a third more.
      const fresh = { ...asked, task_id: randomUUIDv7() };
      const { params, handle, deadline_ms: remainingMs } = fresh;
      starting += 1;
      noteChange();
      try {
        const { task, created } = await store.create(fresh);
        const held = { task: { ...task, params }, attempt: 1 };
        if (created && stopping) await handBack([held]);
        else if (created) run(held, { agent, handle, remainingMs });
        return task;
      } finally {
        starting -= 1;
        noteChange();
      }
    },

    cancel: async (asked) => {
      const reason = new ZoneError("canceled");
      const { outcome } = failureOf(asked, reason);
      const { task, canceledAfterMs } = await store.cancel(asked.task_id, outcome);
      const runsHere = running.get(task.task_id);
      if (runsHere !== undefined) runsHere.drop(reason);
      else if (canceledAfterMs !== undefined) cancelElsewhere(task);
      tell(task);
      if (canceledAfterMs !== undefined) observer.ended(task, { durationMs: canceledAfterMs, kind: reason.kind });
      return task;
    },

    waitUntilFinal,

    start: () => {
      const keep = keepLeases({ store, observer, leaseMs, tell, runs: () => [...running.values()] });
      const ids = (): string[] => [...running.keys()];
      const take = takeLostTasks({ store, observer, leaseMs, roomLeft, running: ids, run: runAgain });
      loops = [repeat(keep, Math.min(1_000, leaseMs / 3)), repeat(take, leaseMs / 3)];
    },

    readerOf: (taskId) => running.get(taskId)?.readFile,

    shownOf: (taskId) => running.get(taskId)?.shown,

    get running() {
      return running.size + starting;
    },

    get changedAt() {
      return changedAt;
    },

    stop: async (graceMs) => {
      stopping = true;
      const [keeping, taking] = loops;
      await taking?.stop();
      const graceOver = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await giveUp([...running.values()].filter(({ onlyWaits, ending }) => onlyWaits && !ending));
      await Promise.race([allEnded(), graceOver]);
      await giveUp([...running.values()]);
      await allEnded();
      await keeping?.stop();
    },
  };

  /** Without this, the agent's work ends only when its process notices the cancel, or never. */
  function cancelElsewhere(task: Task): void {
    agentOf(task.agent).then(
      (agent) => agent?.cancelElsewhere?.(task),
      (cause: unknown) => observer.storeFailed("cancel", cause),
    );
  }

  function allEnded(): Promise<unknown> {
    return Promise.all([...running.values()].map(({ ended }) => ended));
  }

  /** Releases repeatable tasks. Others, and those that already have an answer, end if the store accepts the end. */
  async function giveUp(left: readonly TaskRun[]): Promise<void> {
    const reason = new ZoneError("shutting_down");
    const again = left.filter(({ ending, repeatable }) => repeatable && !ending);
    for (const one of left) {
      if (again.includes(one)) one.drop(reason);
      else one.stop(reason);
      one.abandon();
    }
    await handBack(again);
  }

  async function handBack(held: readonly HeldTask[]): Promise<void> {
    if (held.length === 0) return;
    try {
      await store.handBack(held);
      for (const { task } of held) observer.handedBack(task);
    } catch (cause) {
      observer.storeFailed("hand_back", cause);
    }
    // Callers that wait here learn that it still runs, and poll another process.
    for (const { task } of held) tell(task);
  }
}
