import { setTimeout as delay } from "node:timers/promises";
import type { ReadAgentProgress } from "@crosszone/agent-bridge";
import type { AgentProgress } from "../agent.ts";

/** How often a caller that waits for progress has it looked up, milliseconds. */
const everyMs = 1_000;

/** What agents of the registry say they are doing, from the bridge's record of their calls. */
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
