import { setTimeout as delay } from "node:timers/promises";
import type { ParamProblem, Problem } from "@crosszone/contracts";

export interface FailureOptions {
  readonly cause?: unknown;
  /** Delay before the next attempt that the zone asks for, milliseconds. */
  readonly retryAfterMs?: number;
  /** Whether the same request can succeed later. */
  readonly isTransient?: boolean;
}

/** HTTP statuses of a busy zone, and of a proxy in front of one. */
const transientStatuses = new Set([429, 502, 503, 504]);

/** The zone can't be reached, or the server at its address is not an execution zone. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly retryAfterMs: number | undefined;
  readonly isTransient: boolean;

  constructor(message: string, { cause, retryAfterMs, isTransient = true }: FailureOptions = {}) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
    this.isTransient = isTransient;
  }
}

/** The zone refused the request. The message is the zone's reason. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The last part of the problem's type, e.g. `invalid-input`. */
  readonly kind: string;
  readonly problems: readonly ParamProblem[];
  readonly retryAfterMs: number | undefined;
  readonly isTransient: boolean;

  constructor({ type, title, detail, status, problems = [], correlation_id }: Problem, retryAfterMs?: number) {
    // The message lists the problems instead of the detail, which only refers to them.
    const sentences = [title, problems.length > 0 ? undefined : detail]
      .filter((text) => text !== undefined)
      .map((text) => text.replace(/\.?$/, "."));
    const id = correlation_id !== undefined && status >= 500 ? ` Correlation id: ${correlation_id}.` : "";
    super(sentences.join(" ") + id);
    this.kind = type.slice(type.lastIndexOf("/") + 1);
    this.problems = problems;
    this.retryAfterMs = retryAfterMs;
    this.isTransient = transientStatuses.has(status);
  }
}

export type ApiFailure = UnreachableError | RefusedError;

export const isApiFailure = (error: unknown): error is ApiFailure =>
  error instanceof UnreachableError || error instanceof RefusedError;

const mostAttempts = 3;

/** Delay before the second attempt when the zone names none, milliseconds. Each further attempt adds as much. */
const firstDelayMs = 300;

/** The longest delay before a retry, milliseconds. The request fails instead of waiting longer. */
const longestDelayMs = 30_000;

/** Shortest and longest delay before a closed stream is reopened, milliseconds. The zone can ask for more. */
const shortestReconnectMs = 100;
const longestReconnectMs = 15_000;

/** Retries a request after transient failures. Only for requests that are safe to repeat. */
export async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = retryDelay(error, firstDelayMs * count);
      if (delayMs === undefined || count >= mostAttempts) throw error;
      await delay(delayMs);
    }
  }
}

/**
 * Returns the delay before a stream is reopened, milliseconds: at least `requestedMs`, doubled for each of the `times` connections in a row
 * that brought no new event.
 */
export function reconnectDelay(requestedMs: number, times: number): number {
  return Math.max(requestedMs, Math.min(Math.max(requestedMs, shortestReconnectMs) * 2 ** times, longestReconnectMs));
}

/** Returns the delay before the next attempt, milliseconds: the one that the zone asks for, otherwise `defaultMs`. Undefined when a retry would fail again. */
export function retryDelay(error: unknown, defaultMs: number): number | undefined {
  if (!isApiFailure(error) || !error.isTransient) return undefined;
  const delayMs = error.retryAfterMs ?? defaultMs;
  return delayMs <= longestDelayMs ? delayMs : undefined;
}
