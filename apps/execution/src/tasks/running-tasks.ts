import type { ExecutionColumn } from "@crosszone/agent-calls";
import type { JobKind } from "@crosszone/jobs";
import { isFinal, taskIds } from "./task.ts";
import type { RunDeps, TaskJob } from "./task-job.ts";
import { createRun, type TaskRun } from "./task-run.ts";
import type { TaskStore } from "./sql/task-store.ts";

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
export interface RunningTasks extends Required<Pick<JobKind<ExecutionColumn, TaskJob>, "run" | "lost">> {
  readonly room: TaskRoom;
  /** Returns the run of a task that runs here. */
  readonly get: (taskId: string) => TaskRun | undefined;
}

export interface RunningTasksDeps extends RunDeps {
  readonly store: TaskStore;
  readonly maxRunning: number;
}

export function createRunningTasks(deps: RunningTasksDeps): RunningTasks {
  const { store, emit, notify } = deps;
  const runs = new Map<string, TaskRun & { readonly leave: () => void }>();
  const room = createTaskRoom(deps.maxRunning, deps.now);

  /** Returns the run; undefined if this process has lost and leased the task again since. */
  function remove({ id, attempt }: TaskJob): TaskRun | undefined {
    const run = runs.get(id);
    if (run?.job.attempt !== attempt) return undefined;
    runs.delete(id);
    run.leave();
    return run;
  }

  return {
    room,
    get: (taskId) => runs.get(taskId),
    run: async (job, context) => {
      const run = createRun(deps, job);
      runs.set(job.id, { ...run, leave: room.enter() });
      const end = await run.work(context);
      const stored = (): void => {
        remove(job);
        end.stored?.();
      };
      return { ...end, stored };
    },
    lost: (job, why, cause) => {
      const { id, task } = job;
      remove(job)?.span.end({ error: why === "stopping" ? "shutting_down" : "canceled" });
      if (why === "not_stored") return emit("task_lost", { ...taskIds(task), cause });
      if (why === "stopping") {
        emit("task_released", taskIds(task));
        // It still runs, and its callers poll another process.
        return notify(task);
      }
      if (why === "taken_over") emit("task_lease_lost", taskIds(task));
      store.get(id).then(
        (found) => found && isFinal(found.state) && notify(found),
        () => undefined,
      );
    },
  };
}
