import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import type { Clock, RetryOptions } from "@crosszone/service-kit/timing";

/** Returns retry options for calls to execution: short pauses first, then every few seconds, for `budgetMs` milliseconds in total. */
export function zoneRetry(
  budgetMs: number,
  rest: { readonly clock: Clock; readonly signal: AbortSignal; readonly onRetry: NonNullable<RetryOptions["onRetry"]> },
): RetryOptions {
  return { ...rest, budgetMs, firstMs: 300, longestMs: 5_000, retryAfter: zoneRetryAfter };
}

/**
 * Returns the wait before a call to execution is retried, milliseconds; undefined if the error is not retryable. An error that names a task
 * is that task's outcome, which a retry would return again. The exception is `shutting_down`, because another process may take over the
 * task.
 */
export function zoneRetryAfter(error: unknown): number | undefined {
  if (error instanceof LinkError) return error.retryable ? 0 : undefined;
  if (!(error instanceof ZoneError) || !error.retryable) return undefined;
  const isOutcome = error.data.task_id !== undefined && error.kind !== "shutting_down";
  return isOutcome ? undefined : (error.data.retry_after_ms ?? 0);
}

/** The session of calls without a task. Where each session is a machine of its own, as on AgentCore, they all share one. */
export const listSession = "list-agents";
