import { ownMember } from "@crosszone/service-kit/json";
import { isVariableName } from "../expressions/cel-environment.ts";
import { isReservedName, reservedNameProblem, WorkflowFault } from "../mapping/scope.ts";
import { itemPrefix, type StepRecord } from "./run-record.ts";
import { type CompositeKind, type StepFinding, firstFailure, type Lane, type StepOf } from "./step-kind.ts";

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
