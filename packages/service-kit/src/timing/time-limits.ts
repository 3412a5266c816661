import { type Clock, systemClock } from "./clock.ts";

/** Work exceeded its time limit. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(timeoutMs: number) {
    super(`not done within ${Math.round(timeoutMs)} ms`);
  }
}

/**
 * Runs work with a time limit. Returns its result, or rejects with a `TimeLimitError` after `timeoutMs` milliseconds, or with the reason of
 * `signal`, at once even if the work ignores its own signal. Each `renew` restarts the time. A synchronous throw becomes a rejection.
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal, renew: () => void) => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    stopped.reject(reason);
    stop.abort(reason);
  };
  const abort = (): void => end(signal?.reason);
  const timer = setTimeout(() => end(new TimeLimitError(timeoutMs)), timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([Promise.try(work, stop.signal, () => void timer.refresh()), stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
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

/** Waits for `work`, but at most `ms` milliseconds. The work continues after that. */
export async function atMost(ms: number, work: Promise<unknown>, clock: Clock = systemClock): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, clock.sleep(ms, over.signal).catch(() => undefined)]);
  over.abort();
}
