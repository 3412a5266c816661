import { setTimeout as delay } from "node:timers/promises";
import type { AssistantError } from "../failure.ts";
import type { AssistantLimits } from "../limits.ts";
import type { OpenModel } from "../models/open-model.ts";
import { classifyError } from "./classify-error.ts";
import { readStream } from "./read-stream.ts";
import { type CallPart, type StreamCall, streamCallOf } from "./stream-call.ts";

interface RetryOptions extends Pick<AssistantLimits, "attempts" | "backoffMs">, Pick<OpenModel, "refused"> {
  /** Called for each failure that is retried. */
  readonly onRetry: (failure: AssistantError) => void;
}

/** The longest wait that a provider may request, milliseconds. A longer one ends the call. */
const longestWaitMs = 30_000;

/**
 * Retries a call that fails before the model wrote anything: nothing was shown, and no tool was called. Model calls are
 * retried only here. A parameter that the model refuses by name is left out, in this call and in later ones.
 */
export function retryCalls(call: StreamCall, { attempts, backoffMs, refused, onRetry }: RetryOptions): StreamCall {
  return async (options) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await begin(await call(options));
      } catch (error) {
        if (options.abortSignal?.aborted === true) throw error;
        const failure = classifyError(error);
        failure.attempts = attempt;
        const name = failure.refuses.find((one) => !refused.has(one));
        if (name !== undefined) {
          refused.add(name);
          onRetry(failure);
          attempt -= 1;
          continue;
        }
        const waitMs = failure.retryAfterMs ?? backoffMs * 2 ** (attempt - 1);
        if (attempt >= attempts || !failure.isTransient || waitMs > longestWaitMs) throw failure;
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
  const bounds = { attempts: 1, backoffMs: 0, refused, onRetry: () => undefined };
  const content = [{ type: "text" as const, text: "Answer with the word ok." }];
  const abortSignal = AbortSignal.timeout(timeoutMs);
  try {
    const call = retryCalls(readStream(streamCallOf(model), refused), bounds);
    const parts = await call({ prompt: [{ role: "user", content }], maxOutputTokens: fewTokens, abortSignal });
    for await (const part of parts) if (part.type === "error") return classifyError(part.error);
    return undefined;
  } catch (error) {
    return classifyError(error);
  }
}
