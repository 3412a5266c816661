import type { ExecutionConfig } from "../config.ts";
import type { ExecutionDeps } from "../deps.ts";

/** What the variables say about how much is taken in, and how long it may take. */
export function limitsOf(config: ExecutionConfig): ExecutionDeps["limits"] {
  return {
    maxBytes: config.MAX_BODY,
    maxDepth: config.MAX_DEPTH,
    maxRunning: config.MAX_RUNNING_TASKS,
    mostAttempts: config.TASK_ATTEMPTS,
    syncWindowMs: config.SYNC_WINDOW_MS,
    maxWaitMs: config.MAX_WAIT_MS,
    taskDeadlineMs: config.TASK_DEADLINE,
    requestsPerMinute: config.MAX_REQUESTS_PER_MINUTE,
    requestBurst: config.MAX_REQUEST_BURST,
  };
}
