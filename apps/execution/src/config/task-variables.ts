import { defineConfig, duration } from "@crosszone/service-kit";

/** How long a task can take, and how long it is kept. */
export const taskVariables = defineConfig({
  TASK_DEADLINE: {
    schema: duration({ min: 1 }),
    default: "10m",
    description: "How long a task can take before it times out.",
    group: "Tasks",
    formerly: "TASK_DEADLINE_MS",
  },
  TASK_RETENTION: {
    schema: duration({ min: 1 }),
    default: "1d",
    description:
      "How long execution keeps a finished task with its answer. Keep it longer than any outage of verification.",
    group: "Tasks",
    formerly: "TASK_RETENTION_MS",
  },
  STOP_GRACE: {
    schema: duration(),
    default: "10s",
    description: "How long running tasks can continue after a stop signal. Another process then runs them again.",
    group: "Tasks",
    formerly: "STOP_GRACE_MS",
  },
});
