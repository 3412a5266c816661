import { nearName } from "@crosszone/service-kit/text";
import { asAnswer } from "../mapping/answer-text.ts";
import type { LeafKind } from "./step-kind.ts";

/** Sends one task to one agent. */
export const agent: LeafKind<"agent"> = {
  form: "leaf",
  check: ({ agent_name }, { agents }) =>
    agents === undefined || agents.has(agent_name)
      ? []
      : [[["agent_name"], `is not a registered agent; ${meantOr(agent_name, [...agents])}`]],
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

/** Names the agent that was probably meant, or lists the first ones by name. */
function meantOr(name: string, names: readonly string[]): string {
  const near = nearName(name, names);
  if (near !== undefined) return `did you mean ${near}?`;
  return names.length === 0 ? "registered is none" : `registered are ${names.toSorted().slice(0, 20).join(", ")}`;
}
