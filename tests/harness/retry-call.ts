import { setTimeout as delay } from "node:timers/promises";
import type { TaskProcess } from "./start-task-process.ts";

/** Does something as a caller does that must not lose anything: again, while it is told that later may be better, or nobody answers. */
export async function retryCall<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const { data, code } = error as { code?: unknown; data?: { retryable?: boolean } };
      // What a task ended with is its end, however it is marked.
      if (code !== undefined && data?.retryable !== true) throw error;
      await delay(200);
    }
  }
}

/** How a task ended, once it has; the process that is asked may be another one each time. */
export async function endOf(rpc: () => TaskProcess, task_id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const found = await retryCall(() => rpc().call("get_async_task_result", { task_id, wait_ms: 5_000 }));
    if (found["status"] !== "working") return found;
  }
}
