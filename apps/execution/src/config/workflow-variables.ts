import { byteSize, defineConfig, duration, wholeNumber } from "@crosszone/service-kit";
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
