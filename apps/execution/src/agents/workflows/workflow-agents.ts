import type { WorkflowSummary } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import type { RegisteredAgents } from "../agent-directory.ts";
import type { Agent } from "../agent.ts";
import { createRunProgress, type IsClosed, TaskRuns } from "./task-runs.ts";
import { createWorkflowAgent, type FindAgent, type NamedWorkflow } from "./workflow-agent.ts";

/** Workflows per page. */
const pageSize = 100;

/** The most workflows listed. Others can still be called by name. */
const mostListed = 1_000;

/** Provides each stored workflow as an agent of this zone. `stop` waits for the pending cancellations. */
export function createWorkflowAgents(
  workflows: Workflows,
  deps: { readonly emit: Emit<ExecutionEvent>; readonly findAgent: FindAgent; readonly isClosed: IsClosed },
): RegisteredAgents & { readonly stop: () => Promise<void> } {
  const { emit, findAgent, isClosed } = deps;
  const runs = new TaskRuns(workflows, emit);
  const progress = createRunProgress(workflows);
  const agentOf = (workflow: NamedWorkflow): Agent =>
    createWorkflowAgent(workflow, { workflows, runs, progress, findAgent, isClosed });

  async function listed(): Promise<readonly WorkflowSummary[]> {
    const found: WorkflowSummary[] = [];
    while (found.length < mostListed) {
      const { workflows: page } = await workflows.list({ limit: pageSize, offset: found.length });
      found.push(...page);
      if (page.length < pageSize) break;
    }
    return found;
  }

  return {
    find: async (name) => {
      const record = await workflows.get(name);
      return record && agentOf(record.definition);
    },
    list: async () => (await listed()).map(agentOf),
    stop: () => runs.stop(),
  };
}
