import { randomUUID } from "node:crypto";
import { ZoneError, type TaskState } from "@crosszone/contracts";
import { assertMove, isFinal } from "./task-state.ts";
import type { TaskStore } from "./task-store.ts";
import type { NewTask, Task, TaskOutcome } from "./task.ts";

export interface InMemoryTaskStoreOptions {
  now: () => number;
  /** How long a finished task can still be asked for, milliseconds. */
  retentionMs: number;
  /** How many finished tasks are kept at the most; the oldest go first. */
  maxFinished: number;
}

type EndedTask = Task & { readonly finished_at: number };

/** Keeps tasks in this process: gone with it. A finished task loses what was asked, and is forgotten after a while: memory stays bounded. */
export function createInMemoryTaskStore({ now, retentionMs, maxFinished }: InMemoryTaskStoreOptions): TaskStore {
  const tasks = new Map<string, Task>();
  const idsByKey = new Map<string, string>();
  /** Finished tasks, oldest first; so many at the start are forgotten already. A map's deleted entries would be walked over. */
  const finished: EndedTask[] = [];
  let forgotten = 0;
  const waiters = new Map<string, Set<() => void>>();

  // No two pairs are one text: a key is JSON, which says itself where it ends.
  const keyOf = ({ caller, key }: Pick<Task, "caller" | "key">): string => `${key} ${caller}`;

  function forgetOld(): void {
    const oldest = now() - retentionMs;
    for (; forgotten < finished.length; forgotten++) {
      const task = finished[forgotten] as EndedTask;
      if (task.finished_at >= oldest && finished.length - forgotten <= maxFinished) break;
      idsByKey.delete(keyOf(task));
      tasks.delete(task.task_id);
    }
    if (forgotten <= maxFinished) return;
    finished.splice(0, forgotten);
    forgotten = 0;
  }

  return {
    create: async (fresh: NewTask) => {
      forgetOld();
      const key = keyOf(fresh);
      const known = tasks.get(idsByKey.get(key) ?? "");
      if (known) return { task: known, created: false };
      const task: Task = { ...fresh, task_id: randomUUID(), state: "submitted" };
      tasks.set(task.task_id, task);
      idsByKey.set(key, task.task_id);
      return { task, created: true };
    },

    findByKey: async (caller, key) => {
      forgetOld();
      return tasks.get(idsByKey.get(keyOf({ caller, key })) ?? "");
    },

    get: async (taskId) => {
      forgetOld();
      return tasks.get(taskId);
    },

    move: async (taskId: string, to: TaskState, outcome?: TaskOutcome) => {
      const task = tasks.get(taskId);
      if (!task) throw new ZoneError("task_not_found", { task_id: taskId });
      assertMove(task.state, to, taskId);
      if (!isFinal(to)) {
        const moved: Task = { ...task, state: to };
        tasks.set(taskId, moved);
        return moved;
      }
      // Without what was asked: nobody reads it again.
      const { params: _asked, ...kept } = task;
      const ended: EndedTask = { ...kept, state: to, finished_at: now(), ...(outcome && { outcome }) };
      tasks.set(taskId, ended);
      finished.push(ended);
      for (const wake of waiters.get(taskId) ?? []) wake();
      return ended;
    },

    waitUntilFinal: async (taskId, waitMs, signal) => {
      const task = tasks.get(taskId);
      if (task && !isFinal(task.state) && waitMs > 0 && !signal?.aborted)
        await waitForWake(waiters, taskId, { waitMs, signal });
      return tasks.get(taskId);
    },
  };
}

/** Resolves when the task's waiters are woken, after `waitMs`, or at the signal; leaves nothing behind. */
async function waitForWake(
  waiters: Map<string, Set<() => void>>,
  taskId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal | undefined },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ofTask = waiters.get(taskId) ?? new Set();
  waiters.set(taskId, ofTask.add(resolve));
  const timer = setTimeout(resolve, waitMs);
  const onAbort = (): void => resolve();
  signal?.addEventListener("abort", onAbort, { once: true });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", onAbort);
  ofTask.delete(resolve);
  if (ofTask.size === 0) waiters.delete(taskId);
}
