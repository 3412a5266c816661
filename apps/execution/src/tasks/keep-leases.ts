import { ZoneError } from "@crosszone/contracts";
import type { TaskObserver } from "./task-observer.ts";
import type { TaskRun } from "./task-run.ts";
import { isFinal } from "./task-state.ts";
import type { TaskStore } from "./task-store.ts";
import type { Task } from "./task.ts";

export interface KeepLeasesDeps {
  readonly store: Pick<TaskStore, "renew" | "lost" | "get">;
  readonly observer: TaskObserver;
  readonly leaseMs: number;
  readonly runs: () => readonly TaskRun[];
  readonly tell: (task: Task) => void;
}

/**
 * Returns a function that checks the leases of all tasks that run here once: renews them when a third of their time has
 * passed, and stops tasks that were canceled or taken over.
 */
export function keepLeases({ store, observer, leaseMs, runs, tell }: KeepLeasesDeps): () => Promise<void> {
  let renewAt = 0;

  async function letGo(run: TaskRun): Promise<void> {
    const { task_id } = run.task;
    const found = await store.get(task_id);
    // The agent's answer is being stored, and the store itself checks the lease.
    if (run.ending) return;
    run.drop(new ZoneError(found === undefined || isFinal(found.state) ? "canceled" : "shutting_down"));
    observer.letGo(run.task, found?.state === "canceled" ? "canceled" : "taken_over");
    if (found && isFinal(found.state)) tell(found);
  }

  return async () => {
    const held = runs();
    if (held.length === 0) return;
    const isDue = performance.now() >= renewAt;
    try {
      const lost = isDue ? await store.renew(held) : await store.lost(held);
      if (isDue) renewAt = performance.now() + leaseMs / 3;
      const ids = new Set(lost.map(({ task }) => task.task_id));
      await Promise.all(held.filter(({ task }) => ids.has(task.task_id)).map(letGo));
    } catch (cause) {
      observer.storeFailed("renew", cause);
    }
  };
}
