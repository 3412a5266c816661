import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { SlackCallError } from "../../slack/slack-call-error.ts";

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

/** Returns the wait before a Slack call is retried, milliseconds, as Slack requests; undefined if the error is not retryable. */
export function slackRetryAfter(error: unknown): number | undefined {
  if (!(error instanceof SlackCallError) || error.failure === "refused") return undefined;
  return error.retryAfterMs ?? 0;
}
