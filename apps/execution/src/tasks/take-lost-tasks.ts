import type { TaskObserver } from "./task-observer.ts";
import type { TaskStore } from "./task-store.ts";
import type { TakenTask } from "./task.ts";

export interface TakeLostTasksDeps {
  readonly store: Pick<TaskStore, "take">;
  readonly observer: TaskObserver;
  readonly leaseMs: number;
  /** How many tasks this process can run beside those that it runs. */
  readonly roomLeft: () => number;
  readonly running: () => readonly string[];
  readonly run: (taken: TakenTask) => Promise<void>;
}

const most = 50;

/**
 * One look for tasks that no process holds any more, and runs them here. When the store could not be reached, nobody else could renew
 * a lease either: then nothing is taken before everybody had the time to.
 */
export function takeLostTasks(deps: TakeLostTasksDeps): () => Promise<void> {
  const { store, observer, leaseMs, roomLeft, running, run } = deps;
  let quietUntil = 0;
  return async () => {
    const room = performance.now() < quietUntil ? 0 : Math.max(0, Math.min(most, roomLeft()));
    try {
      await Promise.all((await store.take(room, running())).map(run));
    } catch (cause) {
      quietUntil = performance.now() + leaseMs;
      observer.storeFailed("take", cause);
    }
  };
}
