import { setTimeout as delay } from "node:timers/promises";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createThoughtFilter } from "@crosszone/service-kit/text";
import { type ModelMessage, streamText } from "ai";
import { type AssistantEmit, AssistantError, type AssistantLimits } from "../failure.ts";
import type { OpenModel } from "../models/open-model.ts";
import { type CallUsage, estimatePromptTokens, estimateTokens, type UsageMeter } from "../usage-meter.ts";
import { classifyError, withoutRefused } from "./classify-error.ts";
import { refusedToolIn } from "./refusals.ts";
import { type CallPart, limitSilence, type StreamCall, streamCallOf, withStreamCall } from "./stream-call.ts";
import { traceCalls, type TurnTracer } from "./trace-calls.ts";

/**
 * Reads a model's stream the same way on every wire: any reason to stop ends a whole answer, except those that say it was
 * cut; nothing after it counts; thoughts and calls in a text are left out; errors are `AssistantError`s. Leaves out the
 * parameters that the model `refused`.
 */
function readStream(call: StreamCall, refused: ReadonlySet<string>): StreamCall {
  return async (options) => {
    const { abortSignal, prompt } = options;
    const sent = withoutRefused(options, refused);
    const failureOf = (error: unknown): unknown =>
      abortSignal?.aborted === true ? error : classifyError(error, prompt, sent.tools);
    const parts = await call(sent).catch((error: unknown) => {
      throw failureOf(error);
    });
    return readParts(parts, failureOf);
  };
}

async function* readParts(parts: AsyncIterable<CallPart>, failureOf: (error: unknown) => unknown) {
  const filters = new Map<string, ReturnType<typeof createThoughtFilter>>();
  let [isCalled, isWritten] = [false, false];
  try {
    for await (const part of parts) {
      isCalled ||= part.type === "tool-call";
      isWritten ||= isCalled || "delta" in part;
      if (part.type === "text-start") filters.set(part.id, createThoughtFilter());
      if (part.type === "text-delta" || part.type === "text-end") {
        const filter = filters.get(part.id);
        const delta = (part.type === "text-end" ? filter?.("", true) : filter?.(part.delta)) ?? "";
        if (delta !== "") yield { type: "text-delta", id: part.id, delta } satisfies CallPart;
        if (part.type === "text-end") yield part;
      } else if (part.type === "error") yield { ...part, error: failureOf(part.error) };
      else if (part.type === "finish") {
        const finishReason = endOf(part.finishReason, isCalled);
        if (!isWritten && /malformed/i.test(finishReason.raw ?? ""))
          throw new AssistantError("bad_call", `finish reason ${finishReason.raw ?? ""}`);
        yield { ...part, finishReason, usage: countedOf(part.usage, isWritten) };
        return;
      } else if (part.type !== "raw") yield part;
    }
  } catch (error) {
    throw failureOf(error);
  }
}

type Finish = Extract<CallPart, { type: "finish" }>;

/** Servers that count nothing say 0: no prompt has no tokens, and what is written has some. */
function countedOf({ inputTokens, outputTokens, raw }: Finish["usage"], isWritten: boolean): Finish["usage"] {
  const output = outputTokens.total === 0 && isWritten ? undefined : outputTokens.total;
  return {
    inputTokens: { ...inputTokens, total: inputTokens.total || undefined },
    outputTokens: { ...outputTokens, total: output },
    raw,
  };
}

type FinishReason = Finish["finishReason"];

/** What a reason to stop that a provider's package does not know says of the answer. The first match counts. */
const cuts: readonly (readonly [RegExp, FinishReason["unified"]])[] = [
  [/length|tokens|context_window/i, "length"],
  [/filter|safety|sensitive|refus|guardrail|block|recitation|prohibited|spii/i, "content-filter"],
  [/error|abort|cancel|interrupt|insufficient|malformed|timeout|unavailable|overload|incomplete/i, "error"],
];

function endOf({ unified, raw }: FinishReason, isCalled: boolean): FinishReason {
  const isKnown = unified !== "other" || raw === undefined;
  const cut = isKnown ? unified : cuts.find(([words]) => words.test(raw))?.[1];
  const isEnd = cut === undefined || cut === "stop" || cut === "tool-calls";
  return { unified: isEnd ? (isCalled ? "tool-calls" : "stop") : cut, raw };
}

/** Attempts of a call whose model writes a call of a tool that can't be read: it may do so each time. */
const mostBadCalls = 2;

/** The longest wait that a provider may request, milliseconds. A longer one ends the call. */
const longestWaitMs = 30_000;

/**
 * Retries a call that fails before the model wrote anything: nothing was shown, and no tool was called. Model calls are retried only here.
 * `onRetry` is called for each failure that is retried. A parameter or tool that the model refuses by name is left out, in this call and in later
 * ones.
 */
function withModelRetries(
  call: StreamCall,
  refused: Set<string>,
  how: { readonly attempts: number; readonly backoffMs: number; readonly onRetry: (failure: AssistantError) => void },
): StreamCall {
  const { attempts, backoffMs, onRetry } = how;
  return async (options) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await begin(await call(options));
      } catch (error) {
        if (options.abortSignal?.aborted === true) throw error;
        const failure = classifyError(error);
        failure.attempts = attempt;
        const [likeliest, ...others] = failure.refuses.filter((one) => !refused.has(one));
        if (likeliest !== undefined) {
          for (const one of [likeliest, ...others.filter(refusedToolIn)]) refused.add(one);
          onRetry(failure);
          attempt -= 1;
          continue;
        }
        const waitMs = failure.retryAfterMs ?? backoffMs * 2 ** (attempt - 1);
        const most = failure.reason === "bad_call" ? Math.min(attempts, mostBadCalls) : attempts;
        if (attempt >= most || !failure.isTransient || waitMs > longestWaitMs) throw failure;
        onRetry(failure);
        await delay(waitMs, undefined, { signal: options.abortSignal });
      }
    }
  };
}

const preliminary = /^(?:response-metadata|(?:stream|text|reasoning)-start)$/;

/** Reads up to the first part with content. Throws earlier errors of the stream. */
async function begin(parts: AsyncIterable<CallPart>): Promise<AsyncIterable<CallPart>> {
  const iterator = parts[Symbol.asyncIterator]();
  const first: CallPart[] = [];
  while (first.every(({ type }) => preliminary.test(type))) {
    const next = await iterator.next();
    if (next.done === true) break;
    if (next.value.type === "error") {
      await iterator.return?.();
      throw next.value.error;
    }
    first.push(next.value);
  }
  return (async function* () {
    try {
      yield* first;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  })();
}

/** The smallest output limit that every provider accepts, tokens. */
const fewTokens = 16;

/** Timeout of the call, milliseconds. */
const timeoutMs = 15_000;

/** Asks a model for one word. Returns why it did not answer; undefined when it did. */
export async function tryModel({ model, refused }: OpenModel): Promise<AssistantError | undefined> {
  const once = { attempts: 1, backoffMs: 0, onRetry: () => undefined };
  const content = [{ type: "text" as const, text: "Answer with the word ok." }];
  const abortSignal = AbortSignal.timeout(timeoutMs);
  try {
    const call = withModelRetries(readStream(streamCallOf(model), refused), refused, once);
    const parts = await call({ prompt: [{ role: "user", content }], maxOutputTokens: fewTokens, abortSignal });
    for await (const part of parts) if (part.type === "error") return classifyError(part.error);
    return undefined;
  } catch (error) {
    return classifyError(error);
  }
}

interface ModelBounds {
  readonly limits: AssistantLimits;
  readonly meter: UsageMeter;
  readonly emit: AssistantEmit;
  readonly turn: TurnTracer;
}

/** Returns a model whose calls are timed, traced, counted and retried. */
export function boundedModel(open: OpenModel, { limits, meter, emit, turn }: ModelBounds): LanguageModelV4 {
  const { model, refused } = open;
  const traced = traceCalls(readStream(limitSilence(streamCallOf(model), limits.silenceMs), refused), open, turn);
  const counted = meterCalls(traced, meter);
  const onRetry = ({ message: because, refuses }: AssistantError): void => {
    emit("model_call_retried", { because });
    for (const tool of refuses.map(refusedToolIn))
      if (tool !== undefined) emit("model_tool_refused", { model: open.name, tool });
  };
  return withStreamCall(model, withModelRetries(counted, refused, { ...limits, onRetry }));
}

/**
 * Counts every call with the provider's counts. A call that ends without them is estimated, because the provider bills
 * it anyway. A call that the provider rejects costs nothing.
 */
function meterCalls(call: StreamCall, meter: UsageMeter): StreamCall {
  return async (options) => {
    const { prompt, tools, maxOutputTokens = 0, abortSignal } = options;
    const estimated = { input: estimatePromptTokens([prompt, tools]), cached: 0, estimated: true };
    const record = await meter.begin({ ...estimated, output: maxOutputTokens });
    const parts = await call(options).catch(async (error: unknown) => {
      const input = abortSignal?.aborted === true ? estimated.input : 0;
      await record({ ...estimated, input, output: 0, estimated: input > 0 });
      throw error;
    });
    return (async function* () {
      let written = "";
      let used: CallUsage | undefined;
      try {
        for await (const part of parts) {
          written += "delta" in part ? part.delta : "";
          if (part.type === "finish") {
            const { inputTokens, outputTokens } = part.usage;
            const { total: input = estimated.input } = inputTokens;
            const { total: output = estimateTokens(written) } = outputTokens;
            const isKnown = inputTokens.total !== undefined && outputTokens.total !== undefined;
            used = { input, output, cached: inputTokens.cacheRead ?? 0, estimated: !isKnown };
          }
          yield part;
        }
      } finally {
        await record(used ?? { ...estimated, output: estimateTokens(written) });
      }
    })();
  };
}

/** Lets a model write a text, in one call without tools. Rejects with an `AssistantError` or with the signal's reason. */
export async function writeOnce(
  model: LanguageModelV4,
  call: {
    readonly instructions: string | undefined;
    readonly messages: ModelMessage[];
    readonly maxOutputTokens: number;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly text: string; readonly finishReason: string | undefined }> {
  const { signal, ...asked } = call;
  const { stream } = streamText({ model, ...asked, maxRetries: 0, abortSignal: signal, onError: () => undefined });
  let text = "";
  let finishReason: string | undefined;
  for await (const part of stream) {
    if (part.type === "text-delta") text += part.text;
    else if (part.type === "finish") finishReason = part.finishReason;
    else if (part.type === "error") {
      signal.throwIfAborted();
      throw classifyError(part.error);
    }
  }
  signal.throwIfAborted();
  return { text: text.trim(), finishReason };
}
