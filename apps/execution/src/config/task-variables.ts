import { defineConfig, durationMs } from "@crosszone/service-kit";

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
    default: "3600000",
    description: "How long a finished task can still be asked for.",
    group: "Tasks",
  },
  STOP_GRACE_MS: {
    schema: durationMs(),
    default: "10000",
    description: "How long running tasks may go on after the process was told to stop.",
    group: "Tasks",
  },
});
