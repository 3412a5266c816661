import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { SlackCallError } from "../slack/slack-call-error.ts";

/**
 * Whether a call to the execution zone may be sent again, and how long it asks to wait, milliseconds. An error that names a task
 * is that task's outcome, and the same id would only get it again; but not when the process is leaving, for another one may take it.
 */
export function zoneRetryAfter(error: unknown): number | undefined {
  if (error instanceof LinkError) return error.retryable ? 0 : undefined;
  if (!(error instanceof ZoneError) || !error.retryable) return undefined;
  const isOutcome = error.data.task_id !== undefined && error.kind !== "shutting_down";
  return isOutcome ? undefined : (error.data.retry_after_ms ?? 0);
}

/** Whether a Slack call may be made again, and how long Slack asks to wait, milliseconds. */
export function slackRetryAfter(error: unknown): number | undefined {
  if (!(error instanceof SlackCallError) || error.failure === "refused") return undefined;
  return error.retryAfterMs ?? 0;
}
