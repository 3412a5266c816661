import { chainFrom, prefixOf } from "./run-record.ts";
import { type CompositeKind, type StepFinding, firstFailure, type InnerSteps, type StepOf } from "./step-kind.ts";

type ForkJoinStep = StepOf<"fork_join">;

/** Runs branches in parallel until enough have succeeded. Its output is an object by succeeded branch. */
export const forkJoin: CompositeKind<"fork_join"> = {
  form: "composite",
  check: requiredProblem,
  expressions: () => [],
  inside: ({ fork_join_config: { branches, join_policy } }) =>
    Object.entries(branches).map(([name, branch]) => ({
      kind: "list",
      ids: branch?.steps ?? [],
      keys: ["fork_join_config", "branches", name, "steps"],
      label: name,
      shows: join_policy === "all" ? "all" : "perhaps",
    })),
  start: () => ({}),
  split: (step, { path, record }) => {
    const { branches, branch_timeout_ms } = step.fork_join_config;
    const lanes = Object.entries(branches).map(([name, branch]) => {
      const timeoutMs = branch?.timeout_ms ?? branch_timeout_ms ?? Infinity;
      return {
        name,
        paths: (branch?.steps ?? []).map((id) => prefixOf(path) + id),
        dueAt: (record.started_at ?? Infinity) + timeoutMs,
        isTimedOut: record.timed_out?.includes(name) === true,
      };
    });
    return { lanes, bound: lanes.length, need: neededBranches(step), isTolerant: false };
  },
  failure: ({ id }, { path, errors }) => {
    const reasons = errors.map((error) => error.message).join(" ");
    const message = `Too few branches of the fork "${id}" succeeded. ${reasons}`.trimEnd();
    return { path, kind: "join_failed", message };
  },
  output: (_, { lanes }) => {
    const succeeded = lanes.filter(({ end }) => end.state === "succeeded");
    return Object.fromEntries(succeeded.map(({ name, output }) => [name, output]));
  },
};

function neededBranches({ fork_join_config: { branches, join_policy, n_required } }: ForkJoinStep): number {
  const total = Object.keys(branches).length;
  const needed = { all: total, any: 1, majority: Math.floor(total / 2) + 1, n_of_m: n_required ?? total };
  return needed[join_policy];
}

function requiredProblem({ fork_join_config: config }: ForkJoinStep): readonly StepFinding[] {
  const { join_policy: policy, n_required: required } = config;
  const branches = Object.keys(config.branches).length;
  const keys = ["fork_join_config", "n_required"];
  if (policy !== "n_of_m") return required === undefined ? [] : [[keys, `is only for n_of_m, not for ${policy}`]];
  if (required === undefined) return [[keys, "is missing; n_of_m requires it"]];
  return required > branches ? [[keys, `is more than the number of branches, ${branches}`]] : [];
}

const branches = [
  { way: true, key: "if_true_step" },
  { way: false, key: "if_false_step" },
] as const;

/** Runs one of two chains. Its output is that of the last step in the chain, or null. */
export const conditional: CompositeKind<"conditional"> = {
  form: "composite",
  check: ({ if_true_step, if_false_step }) =>
    if_true_step || if_false_step
      ? []
      : [[["if_true_step"], "is missing, and so is if_false_step; set at least one of them"]],
  expressions: ({ condition }) => [
    { kind: "condition", value: condition.expression, keys: ["condition", "expression"] },
  ],
  // A branch that begins with the conditional's next step is empty.
  inside: (step) =>
    branches.flatMap(({ way, key }): InnerSteps[] => {
      const { [key]: start, next_step } = step;
      if (start === null || start === undefined || start === next_step) return [];
      const isSkipped: InnerSteps["isSkipped"] = (record) => record?.is_true === !way;
      return [{ kind: "chain", ids: [start], keys: [key], label: String(way), shows: "perhaps", isSkipped }];
    }),
  start: ({ condition }, { record, evaluate }) =>
    record.is_true === undefined ? { is_true: evaluate(condition.expression) } : {},
  split: (step, { view, path, record }) => {
    const branch = branches.find(({ way }) => way === record.is_true);
    const ids = branch && chainFrom(view.definition, step[branch.key], step.next_step);
    const lanes = branch && ids ? [{ name: branch.key, paths: ids.map((id) => prefixOf(path) + id) }] : [];
    return { lanes, bound: 1, need: lanes.length, isTolerant: false };
  },
  failure: (_, { errors }) => firstFailure(errors),
  output: (_, { lanes: [lane] }) => lane?.output ?? null,
};

/** Runs steps in parallel. Its output is an object by step. */
export const parallel: CompositeKind<"parallel"> = {
  form: "composite",
  check: () => [],
  expressions: () => [],
  inside: ({ parallel_steps }) => [{ kind: "set", ids: parallel_steps, keys: ["parallel_steps"], shows: "ids" }],
  start: () => ({}),
  split: ({ parallel_steps, max_parallelism, on_error }, { view, path }) => ({
    lanes: parallel_steps.map((id) => ({ name: id, paths: [prefixOf(path) + id] })),
    bound: max_parallelism ?? view.limits.max_running,
    need: parallel_steps.length,
    isTolerant: on_error === "continue",
  }),
  failure: (_, { errors }) => firstFailure(errors),
  output: (_, { lanes }) => Object.fromEntries(lanes.map(({ name, output }) => [name, output])),
};
