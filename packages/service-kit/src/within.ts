/** Says that work took longer than it was given. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(timeoutMs: number) {
    super(`not done within ${Math.round(timeoutMs)} ms`);
  }
}

/**
 * Gives work a limit in time: its result, or a `TimeLimitError` after `timeoutMs` milliseconds, also when the work
 * does not listen to the signal that aborts then. A throw of the work is a rejection.
 */
export async function within<Result>(
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
