import { isFinal } from "./task-state.ts";
import type { TaskStore } from "./task-store.ts";
import type { Task } from "./task.ts";

/** Lets many wait for tasks, those of this process and those of others. */
export interface TaskWatch {
  /** Wakes who waits for the task, with how it stands. */
  readonly tell: (task: Task) => void;
  /** Waits until the task is final, for `waitMs` milliseconds at the most or until the signal; answers how it stands then. */
  readonly waitUntilFinal: (task: Task, waitMs: number, signal?: AbortSignal) => Promise<Task>;
}

/**
 * Who waits for a task of this process is woken when it ends. Tasks that run elsewhere are looked up in the store, all by one query,
 * and only while somebody waits for one.
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

  const tell = (task: Task): void => {
    for (const wake of waiting.get(task.task_id) ?? []) wake(task);
  };

  async function poll(): Promise<void> {
    const elsewhere = [...waiting.keys()].filter((taskId) => !runsHere(taskId));
    // A store that does not answer now is asked again.
    const ended = elsewhere.length === 0 ? [] : await store.finished(elsewhere).catch(() => []);
    for (const task of ended) tell(task);
    timer = waiting.size === 0 ? undefined : setTimeout(() => void poll(), pollMs);
  }

  return {
    tell,
    waitUntilFinal: async (task, waitMs, signal) => {
      if (isFinal(task.state) || waitMs <= 0 || signal?.aborted) return task;
      const { promise, resolve } = Promise.withResolvers<Task>();
      const asIs = (): void => resolve(task);
      const over = setTimeout(asIs, waitMs);
      signal?.addEventListener("abort", asIs, { once: true });
      const ofTask = waiting.get(task.task_id) ?? new Set();
      waiting.set(task.task_id, ofTask.add(resolve));
      // It may have ended since it was read: the first look is at once.
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
