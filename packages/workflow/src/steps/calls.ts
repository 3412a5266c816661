import type { promptKind, subRunKind } from "@crosszone/agent-calls";
import type { PromptStep } from "@crosszone/contracts";
import { canonicalJson } from "@crosszone/service-kit/json";
import { nearName } from "@crosszone/service-kit/text";
import { asAnswer, WorkflowFault } from "../mapping/scope.ts";
import { asText } from "../mapping/template.ts";
import type { StepDecision } from "./human.ts";
import { type LeafKind, timedOut } from "./step-kind.ts";

const inputMapping = ({ input_mapping: value }: { readonly input_mapping?: unknown }) =>
  [{ kind: "mapping", value, keys: ["input_mapping"] }] as const;

const answer: LeafKind["output"] = (_, { record }) => asAnswer(record.output ?? null);

/** Sends one task to one agent. */
export const agent: LeafKind<"agent"> = {
  form: "leaf",
  check: ({ agent_name }, { agents }) =>
    agents === undefined || agents.has(agent_name)
      ? []
      : [[["agent_name"], `is not a registered agent; ${meantOr(agent_name, agents, "registered")}`]],
  expressions: inputMapping,
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
    timedOut(`No answer of the agent "${agent_name}" came within the timeout of the step "${id}".`),
  output: answer,
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

/** A call of a language model, with its templates resolved. */
export interface PromptAsk extends Pick<PromptStep, "prompt" | "system" | "schema" | "max_tokens" | "model"> {}

/** Calls a language model once. */
export const prompt: LeafKind<"prompt"> = {
  form: "leaf",
  takes: "paid_calls",
  job: "prompt" satisfies typeof promptKind,
  check: ({ model }, { hasModel, models }) => {
    if (model !== undefined && models?.includes(model) === false)
      return [[["model"], `is not allowed in this zone; use ${models.join(" or ")}`]];
    return hasModel === false ? [[[], "needs a language model, and this zone has none", "warning"]] : [];
  },
  expressions: ({ prompt: text, system }) => [
    { kind: "mapping", value: text, keys: ["prompt"] },
    { kind: "mapping", value: system, keys: ["system"] },
  ],
  start: ({ prompt: text, system, schema, max_tokens, model, timeout_ms }, { at, limits, resolve }) => {
    const instructions = system === undefined ? undefined : asText(resolve(system));
    const input: PromptAsk = { prompt: asText(resolve(text)), system: instructions, schema, max_tokens, model };
    return { call: { input }, due_at: at + (timeout_ms ?? limits.step_timeout_ms) };
  },
  whenDue: ({ id }) => timedOut(`The model did not answer within the timeout of the step "${id}".`),
  output: answer,
};

/** The run of another workflow that a step asks for. `input`: any JSON. */
export interface SubRunAsk {
  readonly workflow: string;
  readonly version?: string;
  readonly input: unknown;
  readonly on_cancel?: "cancel" | "abandon";
}

/** Runs another workflow. */
export const subWorkflow: LeafKind<"workflow"> = {
  form: "leaf",
  pausesDeadline: true,
  takes: "runs",
  job: "sub_run" satisfies typeof subRunKind,
  check: ({ workflow }, { workflows }) =>
    workflows === undefined || workflows.has(workflow)
      ? []
      : [[["workflow"], `is not a stored workflow; ${meantOr(workflow, workflows, "stored")}`, "warning"]],
  expressions: inputMapping,
  start: ({ workflow, version, input_mapping = {}, on_cancel, timeout_ms }, { at, resolve }) => {
    const input: SubRunAsk = { workflow, version, input: resolve(input_mapping) ?? {}, on_cancel };
    return { call: { input }, due_at: timeout_ms === undefined ? undefined : at + timeout_ms };
  },
  whenDue: ({ id, workflow }) =>
    timedOut(`The workflow "${workflow}" did not end within the timeout of the step "${id}".`),
  output: answer,
};

/** Names what was probably meant, or lists the first ones. `what`: what they are. */
function meantOr(name: string, names: ReadonlySet<string>, what: "registered" | "stored"): string {
  const near = nearName(name, names);
  if (near !== undefined) return `did you mean ${near}?`;
  return names.size === 0 ? `${what} is none` : `${what} are ${[...names].slice(0, 20).join(", ")}`;
}
