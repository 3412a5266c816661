import { asAnswer } from "../mapping/answer-text.ts";
import type { LeafKind } from "./step-kind.ts";

/** Sends one task to one agent. */
export const agent: LeafKind<"agent"> = {
  form: "leaf",
  check: ({ agent_name }, { agents }) =>
    agents === undefined || agents.has(agent_name)
      ? []
      : [[["agent_name"], `is not a registered agent; registered ${isOrAre([...agents])}`]],
  expressions: ({ input_mapping }) => [{ kind: "mapping", value: input_mapping, keys: ["input_mapping"] }],
  agentOf: ({ agent_name }) => agent_name,
  toleratesFailure: ({ on_error }) => on_error === "continue",
  start: ({ agent_name, input_mapping, timeout_ms }, { at, limits, resolve }) => ({
    call: { agent_name, input: resolve(input_mapping) ?? null },
    due_at: at + (timeout_ms ?? limits.step_timeout_ms),
  }),
  whenDue: ({ id, agent_name }) => {
    const message = `The agent "${agent_name}" did not answer within the timeout of the step "${id}".`;
    return { state: "failed", error: { kind: "step_timed_out", message } };
  },
  output: (_, { record }) => asAnswer(record.output ?? null),
};

/** Lists the first ones by name. */
function isOrAre(names: readonly string[]): string {
  return names.length === 0 ? "is none" : `are ${names.toSorted().slice(0, 20).join(", ")}`;
}
