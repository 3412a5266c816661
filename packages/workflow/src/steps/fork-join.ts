import { prefixOf } from "../state/run-plan.ts";
import type { CompositeKind, Finding, StepOf } from "./step-kind.ts";

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

function requiredProblem({ fork_join_config: config }: ForkJoinStep): readonly Finding[] {
  const { join_policy: policy, n_required: required } = config;
  const branches = Object.keys(config.branches).length;
  const keys = ["fork_join_config", "n_required"];
  if (policy !== "n_of_m") return required === undefined ? [] : [[keys, `is only for n_of_m, not for ${policy}`]];
  if (required === undefined) return [[keys, "is missing; n_of_m requires it"]];
  return required > branches ? [[keys, `is more than the number of branches, ${branches}`]] : [];
}
