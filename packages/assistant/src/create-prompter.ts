import type { JSONSchema7, LanguageModelV4 } from "@ai-sdk/provider";
import type { ParamProblem } from "@crosszone/contracts";
import { plainJson } from "@crosszone/service-kit/json";
import type { ModelMessage } from "ai";
import { boundedModel, writeOnce } from "./calls/bounded-model.ts";
import { streamCallOf, withStreamCall } from "./calls/stream-call.ts";
import { type AssistantDeps, noTracer } from "./create-assistant.ts";
import { AssistantError, defaultTurnLimits } from "./failure.ts";
import { loopFailureOf } from "./turn/run-loop.ts";
import { type Spending, UsageMeter } from "./usage-meter.ts";

/** What a model is asked for, without a conversation and tools. */
interface PromptRequest {
  readonly prompt: string;
  readonly system?: string | undefined;
  /** Maximum number of output tokens; the limit of the zone when that is less. */
  readonly max_tokens?: number | undefined;
  /** JSON Schema of the answer, and what is wrong with one. When absent, the answer is a text. */
  readonly form?: { readonly schema: object; readonly check: (value: unknown) => Promise<readonly ParamProblem[]> };
}

/**
 * Calls a model once; once more if its answer does not match the schema. Returns `{text}`, or the matching value. Rejects with an
 * `AssistantError` or with the signal's reason.
 */
export type Prompter = (
  request: PromptRequest,
  context: { readonly signal: AbortSignal; readonly spending: Spending },
) => Promise<unknown>;

export function createPrompter({ model, limits: given, emit, tracer = noTracer }: AssistantDeps): Prompter {
  const limits = { ...defaultTurnLimits, ...given };
  return async ({ prompt, system, max_tokens = Infinity, form }, { signal, spending }) => {
    const meter = new UsageMeter(model, spending, (cause) => emit("model_use_not_recorded", { cause }));
    const bounded = boundedModel(model, { limits, meter, emit, turn: { ...tracer, traceparent: undefined } });
    let structured = form === undefined ? bounded : withStructure(bounded, form.schema);
    const instructions = [system, form && `${onlyJson}\n${JSON.stringify(form.schema)}`].filter(Boolean).join("\n\n");
    const call = { instructions: instructions || undefined, signal };
    const maxOutputTokens = Math.min(limits.outputTokens, max_tokens);
    const messages: ModelMessage[] = [{ role: "user", content: prompt }];
    for (let attempt = 1; ; attempt += 1) {
      const write = (writer: LanguageModelV4) => writeOnce(writer, { ...call, messages, maxOutputTokens });
      const { text, finishReason } = await write(structured).catch((error: unknown) => {
        // Providers reject a schema, or fail over it.
        const { reason = "" } = error instanceof AssistantError ? error : {};
        if (structured === bounded || !/^(?:rejected|unavailable|bad_call)$/.test(reason)) throw error;
        structured = bounded;
        return write(bounded);
      });
      const failure = loopFailureOf({ finishReason }, text);
      if (failure !== undefined) throw failure;
      if (text === "") throw new AssistantError("no_answer", "the model wrote nothing");
      if (form === undefined) return { text };
      const { value, wrong } = await readAnswer(text, form.check);
      if (wrong === undefined) return value;
      const sentence = `The model's answer does not match the schema: ${wrong}.`;
      if (attempt > 1) throw new AssistantError("no_answer", "the answer does not match the schema", { sentence });
      messages.push({ role: "assistant", content: text }, { role: "user", content: `${sentence} ${onlyJson}` });
    }
  };
}

const onlyJson = "Answer only with JSON that matches this JSON Schema, without a code fence.";

/** Returns a model that is asked for JSON of a schema in its provider's own way, where the provider has one. */
function withStructure(model: LanguageModelV4, schema: object): LanguageModelV4 {
  // Providers take only objects.
  if ((schema as { readonly type?: unknown }).type !== "object") return model;
  const responseFormat = { type: "json" as const, schema: schema as JSONSchema7, name: "answer" };
  // A strict schema has no optional members.
  const providerOptions = { openai: { strictJsonSchema: false }, openaiCompatible: { strictJsonSchema: false } };
  return withStreamCall(model, (options) => streamCallOf(model)({ ...options, responseFormat, providerOptions }));
}

/** Most JSON values of a text that are checked, and most characters where one can begin. */
const [mostValues, mostStarts] = [10, 200];

/** Returns the JSON value that a text is, or else those in it: models explain what they write, and put it into code fences. */
function jsonIn(text: string): unknown[] {
  const fenced = /^[^`]*```\w*\s([^`]*)```[^`]*$/.exec(text)?.[1] ?? "";
  const whole = [text, fenced].map(plainJson).find((value) => value !== undefined);
  if (whole !== undefined) return [whole];
  const found = new Map<string, unknown>();
  let end = 0;
  for (const { index } of text.matchAll(/[[{](?=\s*(?:["[{\]}\d-]|true|false|null))/g).take(mostStarts)) {
    if (index < end) continue;
    end = endOfJson(text, index);
    // A part of what is not closed, or no JSON, is not what the model meant.
    if (end === index) break;
    const value = plainJson(text.slice(index, end));
    // A model may write it twice.
    if (value !== undefined) found.set(JSON.stringify(value), value);
  }
  return [...found.values()].slice(0, mostValues);
}

/** Returns the end of the object or array that starts at `start`, which is `start` when it has none. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return start + index + 1;
  }
  return start;
}

async function readAnswer(text: string, check: NonNullable<PromptRequest["form"]>["check"]) {
  const values = jsonIn(text);
  const judged = await Promise.all(values.map(async (value) => ({ value, problems: await check(value) })));
  const [match, other] = judged.filter(({ problems }) => problems.length === 0);
  if (match !== undefined)
    return other === undefined ? { value: match.value } : { wrong: "it has several values that do" };
  const [first, second] = judged;
  if (first === undefined) return { wrong: "it is not JSON" };
  if (second !== undefined) return { wrong: "none of its JSON values does" };
  return { wrong: first.problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; ") };
}
