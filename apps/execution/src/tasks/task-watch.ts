import type { TaskStore } from "./sql/task-store.ts";
import { isFinal, type Task } from "./task.ts";

/** Lets many callers wait for tasks, in this process and others. */
export interface TaskWatch {
  /** Wakes the callers that wait for the task. */
  readonly notify: (task: Task) => void;
  /**
   * Waits until the task is final, `waitMs` milliseconds at most, or until the signal aborts. Returns the task as it is
   * then.
   */
  readonly waitUntilFinal: (task: Task, waitMs: number, signal?: AbortSignal) => Promise<Task>;
}

/**
 * Creates a watch. Tasks of this process wake their waiting callers when they end. Tasks that run elsewhere are read
 * from the store, all with one query, and only while a caller waits for one.
 */
export function createTaskWatch({
  store,
  runsHere,
  pollMs = 200,
}: {
  readonly store: Pick<TaskStore, "finished">;
  readonly runsHere: (taskId: string) => boolean;
  readonly pollMs?: number;
}): TaskWatch {
  const waiting = new Map<string, Set<(task: Task) => void>>();
  let timer: NodeJS.Timeout | undefined;

  const notify = (task: Task): void => {
    for (const wake of waiting.get(task.task_id) ?? []) wake(task);
  };

  async function poll(): Promise<void> {
    const elsewhere = [...waiting.keys()].filter((taskId) => !runsHere(taskId));
    // A failed read is retried.
    const ended = elsewhere.length === 0 ? [] : await store.finished(elsewhere).catch(() => []);
    for (const task of ended) notify(task);
    timer = waiting.size === 0 ? undefined : setTimeout(() => void poll(), pollMs);
  }

  return {
    notify,
    waitUntilFinal: async (task, waitMs, signal) => {
      if (isFinal(task.state) || waitMs <= 0 || signal?.aborted) return task;
      const { promise, resolve } = Promise.withResolvers<Task>();
      const asIs = (): void => resolve(task);
      const over = setTimeout(asIs, waitMs);
      signal?.addEventListener("abort", asIs, { once: true });
      const ofTask = waiting.get(task.task_id) ?? new Set();
      waiting.set(task.task_id, ofTask.add(resolve));
      // The task may have ended since it was read, so the first read is immediate.
      timer ??= setTimeout(() => void poll(), runsHere(task.task_id) ? pollMs : 0);
      try {
        return await promise;
      } finally {
        clearTimeout(over);
        signal?.removeEventListener("abort", asIs);
        ofTask.delete(resolve);
        if (ofTask.size === 0) waiting.delete(task.task_id);
      }
    },
  };
}
