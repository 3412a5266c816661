import type { promptKind } from "@crosszone/agent-calls";
import type { PromptStep } from "@crosszone/contracts";
import { asAnswer } from "../mapping/scope.ts";
import { asText } from "../mapping/template.ts";
import { type LeafKind, timedOut } from "./step-kind.ts";

/** A call of a language model, with its templates resolved. */
export interface PromptAsk extends Pick<PromptStep, "prompt" | "system" | "schema" | "max_tokens" | "model"> {}

/** Calls a language model once. */
export const prompt: LeafKind<"prompt"> = {
  form: "leaf",
  job: "prompt" satisfies typeof promptKind,
  check: (_, { hasModel }) =>
    hasModel === false ? [[[], "needs a language model, and this zone has none", "warning"]] : [],
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
  output: (_, { record }) => asAnswer(record.output ?? null),
};
