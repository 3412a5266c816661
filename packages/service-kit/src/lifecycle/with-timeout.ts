/** Work exceeded its time limit. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(timeoutMs: number) {
    super(`not done within ${Math.round(timeoutMs)} ms`);
  }
}

/**
 * Runs work with a time limit. Returns its result, or rejects with a `TimeLimitError` after `timeoutMs` milliseconds even if the work
 * ignores its signal. A synchronous throw becomes a rejection.
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new TimeLimitError(timeoutMs);
    late.reject(error);
    stop.abort(error);
  }, timeoutMs);
  try {
    return await Promise.race([Promise.try(work, stop.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with the result of `work`, or rejects with the signal's reason as soon as it aborts. The work continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}
