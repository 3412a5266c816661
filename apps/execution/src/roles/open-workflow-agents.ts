import { createCounter } from "@crosszone/service-kit";
import type { Workflows } from "@crosszone/workflow";
import { runOperations } from "../agents/workflows/run-exchange.ts";
import { createWorkflowAgents, type WorkflowAgents } from "../agents/workflows/workflow-agents.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** The part of workflows that the role `rpc` uses: each is an agent that can be called. */
export function openWorkflowAgents(
  { logger, metrics }: Pick<ZoneBasis, "logger" | "metrics">,
  workflows: Workflows,
): WorkflowAgents {
  const failures = createCounter(metrics.registry, {
    name: "task_run_failures_total",
    help: "Failed attempts to start, read or cancel a task's run, by operation; each is retried",
    labels: { operation: runOperations },
  });
  return createWorkflowAgents(workflows, {
    onFailure: (operation, cause) => {
      failures.add({ operation });
      logger.warn("task_run_not_reached", { operation, cause });
    },
  });
}
