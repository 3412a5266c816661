import { createThoughtFilter } from "@crosszone/service-kit/text";
import { classifyError } from "./classify-error.ts";
import { withoutRefused } from "./refused-parameters.ts";
import type { CallPart, StreamCall } from "./stream-call.ts";

/**
 * Reads a model's stream the same way on every wire: any reason to stop ends a whole answer, except those that say it was
 * cut; nothing after it counts; thoughts and calls in a text are left out; errors are `AssistantError`s. Leaves out the
 * parameters that the model `refused`.
 */
export function readStream(call: StreamCall, refused: ReadonlySet<string>): StreamCall {
  return async (options) => {
    const { abortSignal, prompt } = options;
    const failureOf = (error: unknown): unknown =>
      abortSignal?.aborted === true ? error : classifyError(error, prompt);
    const parts = await call(withoutRefused(options, refused)).catch((error: unknown) => {
      throw failureOf(error);
    });
    return readParts(parts, failureOf);
  };
}

async function* readParts(parts: AsyncIterable<CallPart>, failureOf: (error: unknown) => unknown) {
  let filter = createThoughtFilter();
  let isCalled = false;
  try {
    for await (const part of parts) {
      isCalled ||= part.type === "tool-call";
      if (part.type === "text-start") filter = createThoughtFilter();
      if (part.type === "text-delta" || part.type === "text-end") {
        const delta = part.type === "text-end" ? filter("", true) : filter(part.delta);
        if (delta !== "") yield { type: "text-delta", id: part.id, delta } satisfies CallPart;
        if (part.type === "text-end") yield part;
      } else if (part.type === "error") yield { ...part, error: failureOf(part.error) };
      else if (part.type === "finish") {
        yield { ...part, finishReason: endOf(part.finishReason, isCalled) };
        return;
      } else if (part.type !== "raw") yield part;
    }
  } catch (error) {
    throw failureOf(error);
  }
}

type FinishReason = Extract<CallPart, { type: "finish" }>["finishReason"];

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
