import { prefixOf } from "../state/run-plan.ts";
import { firstFailure, type CompositeKind } from "./step-kind.ts";

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
