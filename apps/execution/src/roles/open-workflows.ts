import type { CallIntake } from "@crosszone/agent-calls";
import {
  applyWorkflowFiles,
  createWorkflows,
  readWorkflowFiles,
  type WhyNobody,
  type Workflows,
} from "@crosszone/workflow";
import { measureWorkflows } from "../observers/gauges.ts";
import type { RoleParts } from "./role-parts.ts";

interface WorkflowsOptions extends Omit<RoleParts, "environment" | "health"> {
  /** Accepts the calls of steps. */
  readonly intake: CallIntake;
  /** Returns the names of the agents that steps can use. */
  readonly agentNames: () => Promise<readonly string[]>;
  readonly whyNobody: WhyNobody;
}

/**
 * Opens workflows, including those of WORKFLOWS_DIR, and their runs. Every process can start, show and stop runs; only
 * the role `workflow` executes them. Rejects with a `FileProblemsError` that names each mistake in the folder by file
 * and line.
 */
export async function openWorkflows(options: WorkflowsOptions): Promise<Workflows> {
  const { config, database, jobs, vault, metrics, emit, intake, agentNames, whyNobody } = options;
  const workflows = createWorkflows({
    jobs,
    intake,
    database,
    vault,
    agentNames,
    whyNobody,
    emit,
    limits: {
      deadlineMs: config.WORKFLOW_DEADLINE_MS,
      stepTimeoutMs: config.WORKFLOW_STEP_TIMEOUT_MS,
      maxRunning: config.MAX_RUN_TASKS,
      maxRunBytes: config.MAX_RUN_SIZE,
      retentionMs: config.WORKFLOW_RUN_RETENTION_MS,
    },
  });
  if (config.WORKFLOWS_DIR !== undefined) {
    const { created, kept } = await applyWorkflowFiles(workflows, await readWorkflowFiles(config.WORKFLOWS_DIR));
    emit("workflows_applied", { created, kept: kept.length });
  }
  // In every role: when no process has the role `workflow`, the others must report it.
  measureWorkflows(metrics, workflows.readings);
  return workflows;
}
