import { byteSize, defineConfig, duration, url, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";
import { groupOf } from "./group-of.ts";

/** Workflow definitions from a folder, and the limits of runs. */
export const workflowVariables = defineConfig({
  ...groupOf("Workflows", {
    WORKFLOWS_DIR: {
      schema: z.string().min(1).describe("a folder").optional(),
      description:
        "Folder of workflow definitions in JSON or YAML, one per file. Execution reads it at start and adds new versions.",
      example: "/etc/crosszone/workflows",
    },
    WORKFLOW_DEADLINE: {
      schema: duration({ min: 1 }),
      default: "1h",
      description:
        "How long a run can take if its definition sets no deadline. In Slack, TASK_DEADLINE ends a run earlier.",
      formerly: "WORKFLOW_DEADLINE_MS",
    },
    WORKFLOW_STEP_TIMEOUT: {
      schema: duration({ min: 1 }),
      default: "5m",
      description: "How long an agent can take for a step that sets no timeout.",
      formerly: "WORKFLOW_STEP_TIMEOUT_MS",
    },
    MAX_RUN_TASKS: {
      schema: wholeNumber({ min: 1, max: 1_000 }),
      default: "50",
      description: "Tasks of one run that agents process at the same time. Other steps wait.",
      formerly: "WORKFLOW_MAX_RUNNING",
    },
    MAX_RUN_SIZE: {
      schema: byteSize({ min: 1024 }),
      default: "20MB",
      description: "Size of one run as JSON: its input, and inputs, outputs and errors of its steps.",
      formerly: "WORKFLOW_MAX_RUN_BYTES",
    },
    WORKFLOW_RUN_RETENTION: {
      schema: duration({ min: 1 }),
      default: "7d",
      description: "How long a finished run is kept. Definitions are never deleted.",
      formerly: "WORKFLOW_RUN_RETENTION_MS",
    },
  }),
});

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
