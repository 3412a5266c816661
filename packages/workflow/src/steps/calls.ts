import { canonicalJson } from "@crosszone/service-kit/json";
import { nearName } from "@crosszone/service-kit/text";
import { asAnswer, WorkflowFault } from "../mapping/scope.ts";
import type { StepDecision } from "./human.ts";
import { type LeafKind, timedOut } from "./step-kind.ts";

/** Sends one task to one agent. */
export const agent: LeafKind<"agent"> = {
  form: "leaf",
  check: ({ agent_name }, { agents }) =>
    agents === undefined || agents.has(agent_name)
      ? []
      : [[["agent_name"], `is not a registered agent; ${meantOr(agent_name, agents, "registered")}`]],
  expressions: ({ input_mapping }) => [{ kind: "mapping", value: input_mapping, keys: ["input_mapping"] }],
  agentOf: ({ agent_name }) => agent_name,
  start: ({ agent_name, input_mapping, timeout_ms, approved_by }, { at, limits, record, resolve }) => {
    const input = resolve(input_mapping) ?? null;
    if (approved_by !== undefined) {
      const why = whyNotApproved(resolve(`\${${approved_by}.output}`) as StepDecision, { tool: agent_name, input, at });
      if (why !== undefined || record.attempt > 1)
        throw new WorkflowFault("input_denied", `${why ?? "The approval was used."} Start the run again to ask anew.`);
    }
    return { call: { agent_name, input }, due_at: at + (timeout_ms ?? limits.step_timeout_ms) };
  },
  whenDue: ({ id, agent_name }) =>
    timedOut(`The agent "${agent_name}" did not answer within the timeout of the step "${id}".`),
  output: (_, { record }) => asAnswer(record.output ?? null),
};

/** Returns why a decision does not cover a call that starts now; undefined if it does. */
function whyNotApproved(
  { verdict, action, execute_until }: StepDecision,
  { tool, input, at }: { readonly tool: string; readonly input: unknown; readonly at: number },
): string | undefined {
  if (verdict !== "approve") return "The call was not approved.";
  if (canonicalJson([action?.tool, action?.arguments ?? null]) !== canonicalJson([tool, input]))
    return "The call is not the one that was approved.";
  return execute_until !== undefined && at > Date.parse(execute_until)
    ? "The approval is void: it is too old."
    : undefined;
}

/** Names what was probably meant, or lists the first ones. `what`: what they are. */
export function meantOr(name: string, names: ReadonlySet<string>, what: "registered" | "stored"): string {
  const near = nearName(name, names);
  if (near !== undefined) return `did you mean ${near}?`;
  return names.size === 0 ? `${what} is none` : `${what} are ${[...names].slice(0, 20).join(", ")}`;
}
