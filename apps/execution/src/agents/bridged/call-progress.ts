import { setTimeout as delay } from "node:timers/promises";
import type { ReadAgentProgress } from "@crosszone/agent-bridge";
import type { AgentProgress } from "../agent.ts";

/** How often progress is read for a waiting caller, milliseconds. */
const everyMs = 1_000;

/** Reports the progress of registered agents, from the bridge's records of their calls. */
export function createCallProgress(read: ReadAgentProgress): AgentProgress {
  const readTask = (taskId: string) => read({ run_id: taskId, task_id: taskId });
  return {
    read: async (taskId) => {
      const progress = await readTask(taskId);
      return progress && { ...progress, steps: [] };
    },
    waitForNewer: async (taskId, seen, signal) => {
      while (!signal.aborted) {
        const progress = await readTask(taskId);
        if (progress !== undefined && progress.revision > seen) return;
        await delay(everyMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
