import type { TaskObserver } from "./task-observer.ts";
import type { TaskStore } from "./task-store.ts";
import type { TakenTask } from "./task.ts";

export interface TakeLostTasksDeps {
  readonly store: Pick<TaskStore, "take">;
  readonly observer: TaskObserver;
  readonly leaseMs: number;
  /** Returns how many more tasks this process can run. */
  readonly roomLeft: () => number;
  readonly running: () => readonly string[];
  readonly run: (taken: TakenTask) => Promise<void>;
}

const most = 50;

/**
 * Returns a function that takes over tasks with expired leases once, and runs them here. After the store was
 * unreachable, it first gives every process time to renew its leases.
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
