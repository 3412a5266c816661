import { setTimeout as delay } from "node:timers/promises";
import type { AssistantError } from "../failure.ts";
import type { AssistantLimits } from "../limits.ts";
import type { CallPart, StreamCall } from "./stream-call.ts";
import { classifyError, isTransient } from "./classify-error.ts";

interface RetryOptions extends Pick<AssistantLimits, "attempts" | "backoffMs"> {
  /** Called for each failure that is retried. */
  readonly onRetry: (failure: AssistantError) => void;
}

/** The longest wait that a provider may request, milliseconds. A longer one ends the call. */
const longestWaitMs = 30_000;

/**
 * Retries a call that fails before the model wrote anything: nothing was shown, and no tool was called. Model calls are
 * retried only here.
 */
export function retryCalls(call: StreamCall, { attempts, backoffMs, onRetry }: RetryOptions): StreamCall {
  return async (options) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await begin(await call(options));
      } catch (error) {
        if (options.abortSignal?.aborted === true) throw error;
        const failure = classifyError(error);
        failure.attempts = attempt;
        const waitMs = failure.retryAfterMs ?? backoffMs * 2 ** (attempt - 1);
        if (attempt >= attempts || !isTransient(failure) || waitMs > longestWaitMs) throw failure;
        onRetry(failure);
        await delay(waitMs, undefined, { signal: options.abortSignal });
      }
    }
  };
}

const preliminary: ReadonlySet<CallPart["type"]> = new Set([
  "stream-start",
  "response-metadata",
  "raw",
  "text-start",
  "reasoning-start",
]);

/** Reads up to the first part with content. Throws earlier errors of the stream. */
async function begin(parts: AsyncIterable<CallPart>): Promise<AsyncIterable<CallPart>> {
  const iterator = parts[Symbol.asyncIterator]();
  const first: CallPart[] = [];
  let isOver = false;
  while (!isOver && !first.some(({ type }) => !preliminary.has(type))) {
    const next = await iterator.next();
    isOver = next.done === true;
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
      if (!isOver) yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  })();
}
