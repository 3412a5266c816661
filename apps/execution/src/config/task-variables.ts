import { byteSize, defineConfig, duration, url } from "@crosszone/service-kit";
import { groupOf } from "./group-of.ts";

/** How long tasks can take and are kept, and how execution reads their files. */
export const taskVariables = defineConfig({
  ...groupOf("Tasks", {
    TASK_DEADLINE: {
      schema: duration({ min: 1 }),
      default: "10m",
      description: "How long a task can take before it times out.",
      formerly: "TASK_DEADLINE_MS",
    },
    TASK_RETENTION: {
      schema: duration({ min: 1 }),
      default: "1d",
      description:
        "How long execution keeps a finished task with its answer. Keep it longer than any outage of verification.",
      formerly: "TASK_RETENTION_MS",
    },
    STOP_GRACE: {
      schema: duration(),
      default: "10s",
      description: "How long running tasks can continue after a stop signal. Another process then runs them again.",
      formerly: "STOP_GRACE_MS",
    },
  }),
  ...groupOf("Files", {
    VERIFICATION_URL: {
      schema: url().optional(),
      description:
        "URL of the verification zone, for reading files. Without it, agents get no file contents. Another machine needs https:.",
      example: "https://crosszone.example.com",
    },
    AGENT_FILES_URL: {
      schema: url().optional(),
      description:
        "URL at which agents download large files from this zone. Without it, agents get a description only. Several processes need DATA_KEYS.",
      example: "https://execution.internal:4000",
    },
    MAX_FILE: {
      schema: byteSize({ min: 1 }),
      default: "10MB",
      description: "Largest file that execution reads.",
    },
  }),
});
