import type { RunGraphNode, WorkflowStep } from "@crosszone/contracts";

interface StepWords<Step> {
  readonly name: string;
  /** Summarizes the settings; undefined when there is nothing to say. */
  rule(step: Step): string | undefined;
  /** Whether the progress of the step counts its items, not its instances. */
  readonly countsItems?: boolean;
}

/** Words for types of steps. A type without an entry has its own name. */
const words: { readonly [Type in WorkflowStep["type"]]?: StepWords<Extract<WorkflowStep, { type: Type }>> } = {
  agent: {
    name: "Agent",
    rule: ({ on_error }) => (on_error === "continue" ? "If it fails, the run continues" : undefined),
  },
  parallel: {
    name: "Parallel",
    rule: ({ max_parallelism: most }) => (most === undefined ? "All in parallel" : `At most ${String(most)} at once`),
  },
  conditional: { name: "Condition", rule: ({ condition }) => `If ${condition.expression}` },
  loop: {
    name: "Loop",
    countsItems: true,
    rule: ({ loop_config: { collection, execution_mode = "sequential", max_parallelism, on_error = "stop" } }) => {
      const over = typeof collection === "string" ? collection : `${String(collection.length)} items`;
      const atOnce = max_parallelism === undefined ? "" : `, ${String(max_parallelism)} at once`;
      return `Over ${over}, ${execution_mode}${atOnce}; when one fails: ${on_error}`;
    },
  },
  fork_join: {
    name: "Fork",
    rule: ({ fork_join_config: { join_policy, n_required } }) => {
      const enough = join_policy === "n_of_m" ? String(n_required) : join_policy;
      return `Continues when ${enough} of its branches have succeeded`;
    },
  },
};

const wordsOf = (type: WorkflowStep["type"]): StepWords<WorkflowStep> | undefined => words[type];

export function typeName(type: WorkflowStep["type"]): string {
  const plain = type.replaceAll("_", " ");
  return wordsOf(type)?.name ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Summarizes a step's settings; undefined when there is nothing to say. */
export const stepRule = (step: WorkflowStep): string | undefined => wordsOf(step.type)?.rule(step);

/** Returns true if the progress of a step counts its instances in loops. */
export const countsInstances = ({ total, type }: RunGraphNode): boolean =>
  total !== undefined && wordsOf(type)?.countsItems !== true;
