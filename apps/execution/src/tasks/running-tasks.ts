import type { LeaseId, DropReason } from "@crosszone/jobs";
import { reportLoss } from "./task-end.ts";
import { startRun, type RunDeps, type RunOptions, type TaskRun } from "./task-run.ts";
import type { TaskStore } from "./task-store.ts";
import type { LeasedTask } from "./task.ts";

/** How many tasks this process runs, and can run. */
export interface TaskRoom {
  /** How many more tasks can start. */
  readonly left: () => number;
  /** Reserves room for a task. Returns a function that frees it; undefined without room. */
  readonly reserve: () => (() => void) | undefined;
  /** Counts a task that runs or is about to. Returns a function to call when it no longer does. */
  readonly enter: () => () => void;
  /** How many tasks run or are about to. */
  readonly running: () => number;
  /** When `running` last rose above 0 or fell back to 0, Unix milliseconds; initially the start of the process. */
  readonly changedAt: () => number;
}

function createTaskRoom(most: number, now: () => Date): TaskRoom {
  let [reserved, running] = [0, 0];
  let changedAt = now().getTime();
  const left = (): number => most - reserved;

  function count(change: 1 | -1): void {
    running += change;
    const isEdge = change === 1 ? running === 1 : running === 0;
    if (isEdge) changedAt = now().getTime();
  }

  return {
    left,
    reserve: () => {
      if (left() <= 0) return undefined;
      reserved += 1;
      return () => void (reserved -= 1);
    },
    enter: () => {
      count(1);
      return () => count(-1);
    },
    running: () => running,
    changedAt: () => changedAt,
  };
}

/** The tasks that this process runs. */
export interface RunningTasks {
  readonly room: TaskRoom;
  readonly start: (lease: LeasedTask, options: RunOptions) => TaskRun;
  /** Returns the run of a task that runs here. */
  readonly get: (taskId: string) => TaskRun | undefined;
  /** Reports a task whose lease the worker no longer has, and wakes the callers that wait for it here. */
  readonly dropped: (job: LeaseId, why: DropReason) => Promise<void>;
}

export interface RunningTasksDeps extends Omit<RunDeps, "store"> {
  readonly store: Pick<TaskStore, "end" | "get">;
  readonly maxRunning: number;
}

export function createRunningTasks(deps: RunningTasksDeps): RunningTasks {
  const { store, observer, notify } = deps;
  const runs = new Map<string, TaskRun>();
  const room = createTaskRoom(deps.maxRunning, deps.now);
  return {
    room,
    get: (taskId) => runs.get(taskId),
    start: (lease, options) => {
      const { task_id } = lease.task;
      const run = startRun(deps, lease, options);
      runs.set(task_id, run);
      const leave = room.enter();
      void run.ended.finally(() => {
        if (runs.get(task_id) === run) runs.delete(task_id);
        leave();
      });
      return run;
    },
    dropped: async ({ id }, why) => {
      const task = runs.get(id)?.task;
      if (task === undefined) return;
      if (why === "stopping") {
        observer.released(task);
        // It still runs, and its callers poll another process.
        return notify(task);
      }
      reportLoss(deps, task, await store.get(id).catch(() => undefined));
    },
  };
}
