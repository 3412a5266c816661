import { chainFrom, prefixOf } from "../state/run-plan.ts";
import { type CompositeKind, firstFailure, type InnerSteps } from "./step-kind.ts";

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
