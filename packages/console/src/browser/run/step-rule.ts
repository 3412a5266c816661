import type { WorkflowStep } from "@crosszone/contracts";

/** Summarizes a step's settings; undefined when there is nothing to say. */
export function stepRule(step: WorkflowStep): string | undefined {
  if (step.type === "conditional") return `If ${step.condition.expression}`;
  if (step.type === "loop") {
    const { collection, execution_mode = "sequential", max_parallelism, on_error = "stop" } = step.loop_config;
    const over = typeof collection === "string" ? collection : `${String(collection.length)} items`;
    const atOnce = max_parallelism === undefined ? "" : `, ${String(max_parallelism)} at once`;
    return `Over ${over}, ${execution_mode}${atOnce}; when one fails: ${on_error}`;
  }
  if (step.type === "fork_join") {
    const { join_policy, n_required } = step.fork_join_config;
    const enough = join_policy === "n_of_m" ? String(n_required) : join_policy;
    return `Continues when ${enough} of its branches have succeeded`;
  }
  if (step.type === "parallel") {
    const { max_parallelism } = step;
    return max_parallelism === undefined ? "All in parallel" : `At most ${String(max_parallelism)} at once`;
  }
  return step.on_error === "continue" ? "If it fails, the run continues" : undefined;
}
