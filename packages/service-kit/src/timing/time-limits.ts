import { type Clock, systemClock } from "./retry.ts";

/** Work exceeded its time limit. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(timeoutMs: number) {
    super(`not done within ${Math.round(timeoutMs)} ms`);
  }
}

/** A time limit that runs. */
export interface TimeLimit {
  /** Aborts with the reason of `over`. */
  readonly signal: AbortSignal;
  /** Rejects with a `TimeLimitError`, or with the reason of the signal that the limit was started with. */
  readonly over: Promise<never>;
  /** Restarts the time. */
  readonly renew: () => void;
  readonly end: () => void;
}

/** Starts a time limit, milliseconds, that ends early when `signal` aborts. End it when the work is done. */
export function startTimeLimit(timeoutMs: number, signal?: AbortSignal): TimeLimit {
  const stop = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => undefined);
  const abort = (reason: unknown): void => {
    reject(reason);
    stop.abort(reason);
  };
  const onAbort = (): void => abort(signal?.reason);
  const timer = setTimeout(() => abort(new TimeLimitError(timeoutMs)), timeoutMs);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
  return { signal: stop.signal, over, renew: () => void timer.refresh(), end };
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
  const limit = startTimeLimit(timeoutMs, signal);
  try {
    return await Promise.race([Promise.try(work, limit.signal, limit.renew), limit.over]);
  } finally {
    limit.end();
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

/** The reason of aborts whose reason is not read. Without a reason, each abort creates an error with a stack. */
export const noLonger: Error = new Error("no longer needed");

/** Waits for `work`, but at most `ms` milliseconds. The work continues after that. */
export async function atMost(ms: number, work: Promise<unknown>, clock: Clock = systemClock): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, clock.sleep(ms, over.signal).catch(() => undefined)]);
  over.abort(noLonger);
}
