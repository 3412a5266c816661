import { defineConfig, durationMs, wholeNumber } from "@crosszone/service-kit";

/** How long a task may take, and is kept. */
export const taskVariables = defineConfig({
  SYNC_WINDOW_MS: {
    schema: durationMs({ max: 60_000 }),
    default: "5000",
    description: "How long execute_task waits for the answer before it says accepted.",
    group: "Tasks",
  },
  MAX_WAIT_MS: {
    schema: durationMs({ max: 60_000 }),
    default: "25000",
    description: "Longest time that get_async_task_result holds its answer back.",
    group: "Tasks",
  },
  TASK_DEADLINE_MS: {
    schema: durationMs({ min: 1 }),
    default: "600000",
    description: "How long a task may take before it is timed out.",
    group: "Tasks",
  },
  TASK_RETENTION_MS: {
    schema: durationMs({ min: 1 }),
    default: "86400000",
    description:
      "How long a finished task, its answer and its idempotency key are kept. Longer than verification may be away: when it asks later than that, a task is run again.",
    group: "Tasks",
  },
  TASK_LEASE_MS: {
    schema: durationMs({ min: 1_000, max: 600_000 }),
    default: "10000",
    description:
      "How long after the last sign of life of a process its tasks are run again by another, or by itself once it is back. The same for all processes.",
    group: "Tasks",
  },
  TASK_ATTEMPTS: {
    schema: wholeNumber({ min: 1, max: 100 }),
    default: "2",
    description:
      "How often a task is run at most when the process that runs it dies; then it ends with an error. A run of a workflow that has begun is waited for all the same.",
    group: "Tasks",
  },
  STOP_GRACE_MS: {
    schema: durationMs(),
    default: "10000",
    description:
      "How long running tasks may go on after the process was told to stop. Then they are handed back: another process, or the next one, runs them again. Those that wait for a run of a workflow are handed back at once: it goes on.",
    group: "Tasks",
  },
});
