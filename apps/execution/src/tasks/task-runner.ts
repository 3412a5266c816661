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
   * Keeps a new task and runs it in the background, or finds the one that the caller made with its key. Throws `rate_limited` or
   * `shutting_down` when no new task can be taken now.
   */
  submit(task: Omit<NewTask, "task_id">, agent: Agent): Promise<Task>;
  /** Stops a task, whoever runs it; throws `invalid_state_transition` when it has ended already. */
  cancel(task: Task): Promise<Task>;
  /** Waits until the task is final, for `waitMs` milliseconds at the most or until the signal; answers how it stands then. */
  readonly waitUntilFinal: TaskWatch["waitUntilFinal"];
  /** Begins to keep the leases of what runs here, and to take the tasks of processes that died. */
  start(): void;
  /** Returns the reader for files of a task that runs in this process. */
  readerOf(taskId: string): ReadFile | undefined;
  /** What a task that runs here has shown so far. */
  shownOf(taskId: string): PreviewLog | undefined;
  /** How many tasks run now, or are about to. */
  readonly running: number;
  /** When `running` last became more than 0, or 0 again. Unix milliseconds; the start of the runner at first. */
  readonly changedAt: number;
  /**
   * Takes no more tasks, lets the running ones end for `graceMs`, then hands them back: another process, or the next one, runs them. Those
   * that only wait for work which goes on elsewhere are handed back at once.
   */
  stop(graceMs: number): Promise<void>;
}

export interface TaskRunnerDeps extends Omit<RunDeps, "tell" | "store"> {
  readonly store: TaskStore;
  /** The agent of that name. Rejects when nobody can tell now. */
  readonly agentOf: (name: string) => Promise<Agent | undefined>;
  readonly maxRunning: number;
  /** How often a task is run at most, when processes die. */
  readonly mostAttempts: number;
}

/** Runs tasks on agents and sees to it that each ends, whichever process dies. */
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
      // Ids in the order of time are neighbours in the index: with many tasks, random ones cost the database a third more.
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

  /** Without a word of it the agent's work only ends when the process that runs the task looks, or never. */
  function cancelElsewhere(task: Task): void {
    agentOf(task.agent).then(
      (agent) => agent?.cancelElsewhere?.(task),
      (cause: unknown) => observer.storeFailed("cancel", cause),
    );
  }

  function allEnded(): Promise<unknown> {
    return Promise.all([...running.values()].map(({ ended }) => ended));
  }

  /** What may be run again is handed back. What may not, or has its answer already, ends, if the store takes the end. */
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
    // Who waits here is told that it still works, and asks another process.
    for (const { task } of held) tell(task);
  }
}
