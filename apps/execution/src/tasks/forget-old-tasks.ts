import type { TaskObserver } from "./task-observer.ts";
import type { TaskStore } from "./task-store.ts";

const batch = 500;
const mostBatches = 100;

/** Forgets finished tasks that were kept long enough, in small steps: who writes at the same time waits for one step at most. */
export function forgetOldTasks(store: Pick<TaskStore, "forget">, observer: TaskObserver): () => Promise<void> {
  return async () => {
    try {
      for (let done = 0; done < mostBatches && (await store.forget(batch)) === batch; done += 1);
    } catch (cause) {
      observer.storeFailed("forget", cause);
    }
  };
}
