import { createCounter } from "@crosszone/service-kit";
import type { Workflows } from "@crosszone/workflow";
import { runOperations } from "../agents/workflows/run-exchange.ts";
import { createWorkflowAgents, type WorkflowAgents } from "../agents/workflows/workflow-agents.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** What the role `rpc` has of workflows: each is an agent that can be asked. */
export function openWorkflowAgents(
  { logger, metrics }: Pick<ZoneBasis, "logger" | "metrics">,
  workflows: Workflows,
): WorkflowAgents {
  const failures = createCounter(metrics.registry, {
    name: "task_run_failures_total",
    help: "Times that a run could not be started, looked at or canceled for its task, by operation; it is tried again",
    labels: { operation: runOperations },
  });
  return createWorkflowAgents(workflows, {
    onFailure: (operation, cause) => {
      failures.add({ operation });
      logger.warn("task_run_not_reached", { operation, cause });
    },
  });
}
