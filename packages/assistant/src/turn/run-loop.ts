import type { LanguageModelV4 } from "@ai-sdk/provider";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { isStepCount, type ModelMessage, streamText, type ToolSet } from "ai";
import type { AssistantLimits } from "../limits.ts";
import type { TurnContext } from "./turn-context.ts";
import { classifyError } from "../calls/classify-error.ts";
import { type StreamCall, streamCallOf, withStreamCall } from "../calls/stream-call.ts";
import { AssistantError, type FailureReason } from "../failure.ts";
import type { AssistantTool } from "../tools/assistant-tool.ts";
import type { TurnState } from "../tools/turn-state.ts";
import type { AnswerText } from "./answer-text.ts";
import { instructionsFor } from "./instructions.ts";

export interface Loop {
  readonly model: LanguageModelV4;
  readonly messages: readonly ModelMessage[];
  /** What follows them. The loop appends the model's messages and the results of its calls. */
  readonly answered: ModelMessage[];
  /** The operator's additional instructions. */
  readonly added: string | undefined;
  readonly tools: ToolSet;
  /** The same tools, by the model's names for them. */
  readonly named: ReadonlyMap<string, AssistantTool>;
  readonly state: TurnState;
  readonly text: AnswerText;
  readonly limits: AssistantLimits;
  readonly context: TurnContext;
}

/** How a turn's stream ended. */
export interface LoopEnd {
  /** Why the model stopped; undefined when the stream broke before saying so. */
  readonly finishReason: string | undefined;
  readonly error?: unknown;
}

/**
 * Calls the model and its tools until the model has answered, or calls wait for people. Appends to `text` and
 * `answered`. Rejects only with the signal's reason.
 */
export async function runLoop(loop: Loop): Promise<LoopEnd> {
  const { signal } = loop.context;
  if (loop.state.modelCalls >= loop.limits.steps) return { finishReason: "tool-calls" };
  let finishReason: string | undefined;
  let error: unknown;
  try {
    for await (const part of startStream(loop)) {
      if (part.type === "text-start") loop.text.begin();
      else if (part.type === "text-delta") loop.text.add(part.text);
      else if (part.type === "error") error ??= part.error;
      else if (part.type === "finish") finishReason = part.finishReason;
    }
  } catch (thrown) {
    error ??= thrown;
  }
  signal.throwIfAborted();
  return { finishReason, error };
}

function startStream({ model, messages, answered, added, tools, named, state, limits, context }: Loop) {
  const isWithheld = ({ sideEffects, approval }: AssistantTool): boolean =>
    sideEffects && approval?.canBeGiven(state.sources) !== true;
  const withheldNow = (): AssistantTool[] => (state.isTainted ? [...named.values()].filter(isWithheld) : []);
  return streamText({
    model: withStreamCall(model, noteChanges(streamCallOf(model), state)),
    messages: [...messages, ...answered],
    tools,
    stopWhen: [isStepCount(limits.steps - state.modelCalls), () => state.pending.length > 0],
    toolCallConcurrency: limits.concurrency,
    maxOutputTokens: limits.outputTokens,
    // Calls are retried below this level, where nothing was shown yet.
    maxRetries: 0,
    abortSignal: context.signal,
    prepareStep: () => {
      state.modelCalls += 1;
      const withheld = withheldNow();
      state.withheld = new Set(withheld.map(({ name }) => name));
      return {
        instructions: instructionsFor({ now: context.now(), withheld, added }),
        activeTools: [...named].flatMap(([name, tool]) => (state.withheld.has(tool.name) ? [] : [name])),
        // In its last step the model has to answer.
        toolChoice: state.modelCalls === limits.steps && limits.steps > 1 ? ("none" as const) : undefined,
      };
    },
    onStepEnd: ({ response }) => void answered.push(...response.messages),
    experimental_download: downloadNothing,
    // The default writes the error with the whole request to the console.
    onError: () => undefined,
  }).stream;
}

/** Notes calls whose arguments change when the SDK parses them: people would approve, and a tool would get, other values. */
function noteChanges(call: StreamCall, { changedArguments }: TurnState): StreamCall {
  return async (options) => {
    const parts = await call(options);
    return (async function* () {
      for await (const part of parts) {
        const error = part.type === "tool-call" ? errorOf(part.input) : undefined;
        if (part.type === "tool-call" && error !== undefined) changedArguments.set(part.toolCallId, error.message);
        yield part;
      }
    })();
  };
}

/** Arguments that are no JSON are refused by the SDK. */
function errorOf(input: string): JsonTextError | undefined {
  try {
    parseExactJson(input);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return error.kind === "not_json" ? undefined : error;
  }
}

/** Files are sent as bytes. A URL in a message must never make this zone send a request. */
async function downloadNothing(requested: readonly unknown[]): Promise<[]> {
  if (requested.length > 0) throw new Error("the assistant downloads nothing");
  return [];
}

/**
 * Returns the answer for the requester: the text, a note when it is incomplete, and `note`. An answer is complete only
 * when its stream ended normally because the model stopped. Throws an `AssistantError` when there is no text.
 */
export function completeAnswer(text: string, end: LoopEnd, note: string): string {
  const failure = failureOf(end, text);
  if (text.trim() === "") throw failure ?? new AssistantError("no_answer", "the model wrote nothing");
  const incomplete = failure === undefined ? "" : `_This answer is incomplete. ${failure.sentence}_`;
  return [text, incomplete, note].filter((part) => part !== "").join("\n\n");
}

const reasonsByFinish: Readonly<Record<string, FailureReason | undefined>> = {
  length: "output_limit",
  "content-filter": "refused",
  "tool-calls": "step_limit",
};

function failureOf({ finishReason, error }: LoopEnd, text: string): AssistantError | undefined {
  if (error !== undefined) return classifyError(error);
  if (finishReason === "stop") return undefined;
  const fallback: FailureReason = text === "" ? "no_answer" : "interrupted";
  const reason = reasonsByFinish[finishReason ?? ""] ?? fallback;
  return new AssistantError(reason, `finish reason ${finishReason ?? "missing"}`);
}
