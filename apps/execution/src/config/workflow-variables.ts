import { byteSize, defineConfig, duration, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";

const group = "Workflows";

/** Which workflows there are from the start, and what runs are held to. */
export const workflowVariables = defineConfig({
  WORKFLOWS_DIR: {
    schema: z.string().min(1).describe("a folder").optional(),
    description:
      "Folder of workflows, one definition a file, JSON or YAML, beside those that are created over the API. Read at the start, in the order of their names: versions that are new are stored, and a version never changes.",
    example: "/etc/crosszone/workflows",
    group,
  },
  WORKFLOW_DEADLINE: {
    schema: duration({ min: 1 }),
    default: "1h",
    description:
      "How long a run may take whose definition does not say, before it is timed out. One that a person waits for in Slack ends with its task, after TASK_DEADLINE.",
    group,
    formerly: "WORKFLOW_DEADLINE_MS",
  },
  WORKFLOW_STEP_TIMEOUT: {
    schema: duration({ min: 1 }),
    default: "5m",
    description: "How long an agent may take for a step that does not say.",
    group,
    formerly: "WORKFLOW_STEP_TIMEOUT_MS",
  },
  MAX_RUN_TASKS: {
    schema: wholeNumber({ min: 1, max: 1_000 }),
    default: "50",
    description: "Tasks of one run that are with agents at once; its other steps wait.",
    group,
    formerly: "WORKFLOW_MAX_RUNNING",
  },
  MAX_RUN_SIZE: {
    schema: byteSize({ min: 1024 }),
    default: "20MB",
    description: "What a run's input and all inputs, outputs and agents' errors of its steps may be together, as JSON.",
    group,
    formerly: "WORKFLOW_MAX_RUN_BYTES",
  },
  WORKFLOW_RUN_RETENTION: {
    schema: duration({ min: 1 }),
    default: "7d",
    description: "How long a run that ended is kept, to be looked at or gone on with. Definitions are kept for good.",
    group,
    formerly: "WORKFLOW_RUN_RETENTION_MS",
  },
});
