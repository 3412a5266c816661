import type { ParamProblem } from "@crosszone/contracts";
import type { ModelMessage } from "ai";
import { boundedModel } from "./calls/bounded-model.ts";
import { writeOnce } from "./calls/write-once.ts";
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

interface PromptContext {
  readonly signal: AbortSignal;
  readonly spending: Spending;
}

/**
 * Calls a model once; once more if its answer does not match the schema. Returns `{text}`, or the matching value. Rejects with an
 * `AssistantError` or with the signal's reason.
 */
export type Prompter = (request: PromptRequest, context: PromptContext) => Promise<unknown>;

export function createPrompter({ model, limits: given, emit, tracer = noTracer }: AssistantDeps): Prompter {
  const limits = { ...defaultTurnLimits, ...given };
  return async ({ prompt, system, max_tokens = Infinity, form }, { signal, spending }) => {
    const meter = new UsageMeter(model, spending, (cause) => emit("model_use_not_recorded", { cause }));
    const bounded = boundedModel(model, { limits, meter, emit, turn: { ...tracer, traceparent: undefined } });
    const instructions = [system, form && `${onlyJson}\n${JSON.stringify(form.schema)}`].filter(Boolean).join("\n\n");
    const call = { instructions: instructions || undefined, signal };
    const maxOutputTokens = Math.min(limits.outputTokens, max_tokens);
    const messages: ModelMessage[] = [{ role: "user", content: prompt }];
    for (let attempt = 1; ; attempt += 1) {
      const { text, finishReason } = await writeOnce(bounded, { ...call, messages, maxOutputTokens });
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

async function readAnswer(text: string, check: NonNullable<PromptRequest["form"]>["check"]) {
  try {
    const value = JSON.parse(text.replace(/^```(?:json)?\s*|\s*```$/g, "")) as unknown;
    const problems = await check(value);
    if (problems.length === 0) return { value };
    return { wrong: problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; ") };
  } catch (error) {
    if (error instanceof SyntaxError) return { wrong: "it is not JSON" };
    throw error;
  }
}
