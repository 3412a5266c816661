import { byteSize, defineConfig, durationMs, wholeNumber } from "@crosszone/service-kit";
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
  WORKFLOW_DEADLINE_MS: {
    schema: durationMs({ min: 1 }),
    default: "3600000",
    description:
      "How long a run may take whose definition does not say, before it is timed out. One that a person waits for in Slack ends with its task, after TASK_DEADLINE_MS.",
    group,
  },
  WORKFLOW_STEP_TIMEOUT_MS: {
    schema: durationMs({ min: 1 }),
    default: "300000",
    description: "How long an agent may take for a step that does not say.",
    group,
  },
  WORKFLOW_MAX_RUNNING: {
    schema: wholeNumber({ min: 1, max: 1_000 }),
    default: "50",
    description: "Tasks of one run that are with agents at once; its other steps wait.",
    group,
  },
  WORKFLOW_MAX_RUN_BYTES: {
    schema: byteSize({ min: 1024 }),
    default: "20MB",
    description: "What a run's input and all inputs, outputs and agents' errors of its steps may be together, as JSON.",
    group,
  },
  WORKFLOW_RUN_RETENTION_MS: {
    schema: durationMs({ min: 1 }),
    default: "604800000",
    description: "How long a run that ended is kept, to be looked at or gone on with. Definitions are kept for good.",
    group,
  },
});
