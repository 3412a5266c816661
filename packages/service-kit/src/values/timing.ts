import { setTimeout as delay } from "node:timers/promises";

/**
 * Returns a time for a timer, milliseconds, that Node takes as it is. It warns of a negative one, and fires at once for one of more than 24 days:
 * such a timer fires too early, and what it calls must look again.
 */
export const timerMs = (ms: number): number => Math.min(2 ** 31 - 1, Math.max(0, ms));

/** The time, and waits. Tests and the simulation pass another one. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not the promise of node:timers, which makes an error with a stack of its own for each wait that ends early, as most do.
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal?.reason);
    const timer = setTimeout(resolve, timerMs(ms));
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  },
};

/** The start of the process plus the time since then, milliseconds: for deadlines within a process. No jump of the clock moves it. */
export const steadyNow = (): number => performance.timeOrigin + performance.now();

/** Growing pauses, milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Returns the pause after a failed attempt (from 1), milliseconds. It doubles with each attempt, with jitter, so that operations that failed
 * together are not retried together.
 */
export const backoffMs = ({ firstMs, longestMs }: Backoff, attempt: number): number =>
  Math.min(longestMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);

/**
 * Returns the wait that `Retry-After` requests, seconds or a date, in milliseconds from now; undefined when it is absent or invalid. A date is
 * relative to the server's own clock if the server sends a `Date`. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const textOf = (name: string): string => (typeof headers[name] === "string" ? headers[name].trim() : "");
  const text = textOf("retry-after");
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  // An HTTP date starts with the day's name; Date.parse accepts other texts, too.
  const until = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN;
  const from = Date.parse(textOf("date"));
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(from) ? now : from));
}

export interface RetryOptions extends Backoff {
  /**
   * No attempt starts later than this after the first failure, milliseconds; without it, there is no limit. The duration of the first
   * attempt does not count.
   */
  readonly budgetMs?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /**
   * Returns the wait that is asked for before the next attempt, milliseconds; 0 when none is; undefined when the error is not retryable.
   * Without it, every error is.
   */
  readonly retryAfter?: (error: unknown) => number | undefined;
  /** Called before each wait. */
  readonly onRetry?: (error: unknown, next: { readonly attempt: number; readonly waitMs: number }) => void;
}

/**
 * Runs `operation` until it succeeds, its error is not retryable, or the budget is spent; then rejects with the last error. Rejects with the
 * signal's reason when it aborts. Only for operations that are safe to repeat: an attempt may have taken effect.
 */
export async function retry<T>(operation: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { budgetMs = Infinity, clock = systemClock, signal, retryAfter = () => 0, onRetry } = options;
  let spentMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const startedAt = performance.now();
    try {
      return await operation(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      const asked = retryAfter(error);
      if (asked === undefined) throw error;
      const waitMs = Math.round(asked + backoffMs(options, attempt));
      // Not by the clock, which can jump.
      spentMs += waitMs + (attempt === 1 ? 0 : performance.now() - startedAt);
      if (spentMs > budgetMs) throw error;
      onRetry?.(error, { attempt: attempt + 1, waitMs });
      await clock.sleep(waitMs, signal);
    }
  }
}

export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(timeoutMs: number) {
    super(`not done within ${Math.round(timeoutMs)} ms`);
  }
}

/** Starts a time limit, milliseconds, that ends early when `signal` aborts. End it when the work is done. */
export function startTimeLimit(timeoutMs: number, signal?: AbortSignal) {
  const stop = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => undefined);
  const abort = (reason: unknown): void => {
    reject(reason);
    stop.abort(reason);
  };
  const onAbort = (): void => abort(signal?.reason);
  const timer = setTimeout(() => abort(new TimeLimitError(timeoutMs)), timerMs(timeoutMs));
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
  return {
    /** Aborts with the reason of `over`. */
    get signal(): AbortSignal {
      return stop.signal;
    },
    /** Rejects with a `TimeLimitError`, or with the reason of the signal that the limit was started with. */
    over,
    /** Restarts the time. */
    renew: (): void => void timer.refresh(),
    end,
  };
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
    // Not `Promise.try`, which needs Node 24: the command line runs on 22.
    return await Promise.race([(async () => work(limit.signal, limit.renew))(), limit.over]);
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

/** Waits without keeping the process alive. Resolves with false when the signal aborts. */
export async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(timerMs(ms), undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted;
}

/** Runs `work` after each pause, milliseconds, until the signal aborts. */
export async function repeat(work: () => Promise<void>, pauseMs: () => number, signal: AbortSignal): Promise<void> {
  while (await waited(pauseMs(), signal)) await work();
}

/** Returns a function for callers who can share one run: while one is under way, it returns its promise. */
export function sharedRun<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => (running ??= run().finally(() => (running = undefined)));
}
