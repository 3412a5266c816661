import { defineConfig, duration, wholeNumber } from "@crosszone/service-kit";

/** How long a task may take, and is kept. */
export const taskVariables = defineConfig({
  TASK_DEADLINE: {
    schema: duration({ min: 1 }),
    default: "10m",
    description: "How long a task may take before it is timed out.",
    group: "Tasks",
    formerly: "TASK_DEADLINE_MS",
  },
  TASK_RETENTION: {
    schema: duration({ min: 1 }),
    default: "1d",
    description:
      "How long a finished task, its answer and its idempotency key are kept. Longer than verification may be away: when it asks later than that, a task is run again.",
    group: "Tasks",
    formerly: "TASK_RETENTION_MS",
  },
  STOP_GRACE: {
    schema: duration(),
    default: "10s",
    description:
      "How long running tasks may go on after the process was told to stop. Then they are handed back: another process, or the next one, runs them again. Those that wait for a run of a workflow are handed back at once: it goes on.",
    group: "Tasks",
    formerly: "STOP_GRACE_MS",
  },
});
