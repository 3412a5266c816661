import type { KafkaBus, Subscription } from "../bus/kafka-bus.ts";
import type { GatewayRows } from "./gateway-rows.ts";
import type { GatewayRoles } from "./kafka-gateway.ts";
import { concurrency } from "./take-in-tasks.ts";

/** Consumes the results of tasks' calls: ends the call, and tells the task, in whatever process it waits. */
export function takeInTaskResults(
  bus: Pick<KafkaBus, "subscribe">,
  rows: Pick<GatewayRows, "answered">,
  onTaskResult: NonNullable<GatewayRoles["onTaskResult"]>,
): Promise<Subscription> {
  return bus.subscribe("agent_results", {
    group: "execution",
    concurrency,
    handle: async ({ value: result }) => {
      // Other programs may use the same topic. A task's call has the task's id twice.
      if (result.run_id === result.task_id) await rows.answered(result, !onTaskResult(result));
    },
  });
}

/** Consumes the results of workflow steps. */
export function takeInRunResults(
  bus: Pick<KafkaBus, "subscribe">,
  onRunResult: NonNullable<GatewayRoles["onRunResult"]>,
): Promise<Subscription> {
  return bus.subscribe("agent_results", {
    group: "workflow",
    concurrency,
    handle: async ({ value: result, attempt }) => {
      // A step's call has the run's id and the place of the step.
      if (result.task_id.startsWith(`${result.run_id}.`)) await onRunResult(result, attempt);
    },
  });
}
