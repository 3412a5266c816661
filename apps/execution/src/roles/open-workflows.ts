import { agentResultKind, type CallIntake } from "@crosszone/jobs";
import { applyWorkflowFiles, createWorkflows, readWorkflowFiles, type Workflows } from "@crosszone/workflow";
import { observeWorkflows, measureWorkflows } from "../observers/observe-workflows.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/**
 * Opens workflows, including those of WORKFLOWS_DIR, and their runs. Every process can start, show and stop runs; only
 * the role `workflow` executes them. Rejects with a `FileProblemsError` that names each mistake in the folder by file
 * and line.
 */
export async function openWorkflows(
  { config, database, jobs, vault, logger, metrics }: ZoneBasis,
  { registry }: Pick<OpenAgents, "registry">,
  intake: CallIntake,
): Promise<Workflows> {
  const workflows = createWorkflows({
    jobs: jobs.store,
    lease: jobs.lease,
    intake,
    database,
    vault,
    agentNames: async () => (await registry.listEnabled()).map(({ name }) => name),
    observer: observeWorkflows({ logger, metrics }),
    limits: {
      deadlineMs: config.WORKFLOW_DEADLINE_MS,
      stepTimeoutMs: config.WORKFLOW_STEP_TIMEOUT_MS,
      maxRunning: config.MAX_RUN_TASKS,
      maxRunBytes: config.MAX_RUN_SIZE,
      retentionMs: config.WORKFLOW_RUN_RETENTION_MS,
    },
  });
  jobs.join({ kind: agentResultKind, wake: workflows.wake, lose: workflows.lose });
  if (config.WORKFLOWS_DIR !== undefined) {
    const { created, kept } = await applyWorkflowFiles(workflows, await readWorkflowFiles(config.WORKFLOWS_DIR));
    logger.info("workflows_applied", { created, kept: kept.length });
  }
  // In every role: when no process has the role `workflow`, the others must report it.
  measureWorkflows(metrics, workflows);
  return workflows;
}
