import { ownMember } from "@crosszone/service-kit/json";
import { isVariableName } from "../expressions/cel-environment.ts";
import { isReservedName, reservedNameProblem, WorkflowFault } from "../mapping/scope.ts";
import { chainFrom, itemPrefix, prefixOf, type StepRecord } from "./run-record.ts";
import {
  type CompositeKind,
  firstFailure,
  type InnerSteps,
  type Lane,
  type StepFinding,
  type StepOf,
} from "./step-kind.ts";

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

/** Default maximum of a loop's items. */
const mostItems = 1000;

/** Runs its body once for each item. Its output is an array with the output of the body's last step for each item. */
export const loop: CompositeKind<"loop"> = {
  form: "composite",
  check: ({ loop_config: { iterator_variable } }, { ids }) => iteratorProblem(iterator_variable, ids),
  expressions: ({ loop_config }) => [
    { kind: "collection", value: loop_config.collection, keys: ["loop_config", "collection"] },
  ],
  inside: (step) => {
    const { loop_body: ids } = step.loop_config;
    return [{ kind: "list", ids, keys: ["loop_config", "loop_body"], shows: "none", variables: variablesOf(step) }];
  },
  repeat: {
    collection: ({ loop_config }) => loop_config.collection,
    iterator: ({ loop_config }) => loop_config.iterator_variable,
    variables: (source) =>
      ownMember(source, "loop_config") === undefined && ownMember(source, "type") !== "loop" ? [] : variablesOf(source),
  },
  start: ({ id, loop_config: { max_iterations: most = mostItems } }, { record, items }) => {
    if (record.count !== undefined) return {};
    const count = items().length;
    if (count <= most) return { count };
    const message = `The collection of the loop "${id}" has ${String(count)} items; at most ${String(most)} are allowed.`;
    throw new WorkflowFault("collection_invalid", message);
  },
  split: (step, { view, path, record }) => {
    const { execution_mode, max_parallelism = view.limits.max_running, on_error = "stop" } = step.loop_config;
    const lanes = lanesOf(step, path, record);
    const bound = execution_mode === "parallel" ? max_parallelism : 1;
    return { lanes, bound, need: lanes.length, isTolerant: on_error !== "stop" };
  },
  failure: (_, { errors }) => firstFailure(errors),
  // A failed item is null (`continue`) or its error (`collect`).
  output: ({ loop_config: { on_error } }, { lanes }) =>
    lanes.map(({ end, output }) => (end.state === "failed" && on_error === "collect" ? { error: end.error } : output)),
};

function variablesOf(step: unknown): readonly string[] {
  const name = ownMember(ownMember(step, "loop_config"), "iterator_variable");
  return typeof name === "string" ? ["item", "index", name] : ["item", "index"];
}

/** Caches the lanes by record. They change only with the record, and a large loop has many. */
const knownLanes = new WeakMap<StepRecord, readonly Lane[]>();

const lanesOf = ({ loop_config: { loop_body } }: StepOf<"loop">, path: string, record: StepRecord): readonly Lane[] =>
  knownLanes.getOrInsertComputed(record, () =>
    Array.from({ length: record.count ?? 0 }, (_, index) => {
      const prefix = itemPrefix(path, index);
      return { name: String(index), paths: loop_body.map((id) => prefix + id) };
    }),
  );

function iteratorProblem(name: string | undefined, ids: ReadonlySet<string>): readonly StepFinding[] {
  if (name === undefined || name === "item") return [];
  const keys = ["loop_config", "iterator_variable"];
  const problems = [
    ...(isReservedName(name) ? [reservedNameProblem] : []),
    ...(ids.has(name) ? [`is also the id of the step ${name}; choose another name`] : []),
    ...(!isReservedName(name) && !isVariableName(name)
      ? [`is a reserved word of CEL, the language of conditions; choose another name, such as ${name}_of_list`]
      : []),
  ];
  return problems.map((message) => [keys, message]);
}
