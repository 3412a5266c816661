import type { WorkflowStep } from "@crosszone/contracts";

/** What a step goes by, in a few words; undefined where there is nothing to say. */
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
    return `Goes on when ${enough} of its branches succeeded`;
  }
  if (step.type === "parallel") {
    const { max_parallelism } = step;
    return max_parallelism === undefined ? "All at the same time" : `At most ${String(max_parallelism)} at once`;
  }
  return step.on_error === "continue" ? "When it fails the run goes on" : undefined;
}
