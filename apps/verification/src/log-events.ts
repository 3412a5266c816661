import { gracefulStopEvents, type GracefulStopEvent } from "@crosszone/service-kit";
import { tracingEvents } from "@crosszone/service-kit/tracing";

const ownEvents = [
  "file_not_usable",
  "listening",
  "config_warning",
  "http_refused",
  "http_failed",
  "slack_identified",
  "slack_not_identified",
  "slack_request_refused",
  "slack_sdk_remark",
  "slack_call_failed",
  "event_accepted",
  "event_duplicate",
  "event_ignored",
  "event_refused",
  "event_not_stored",
  "inbox_failed",
  "policy_in_force",
  "policy_refused",
  "policy_allowed",
  "policy_denied",
  "notice_lost",
  "slack_token_renewed",
  "slack_token_not_renewed",
  "task_started",
  "task_accepted",
  "task_retried",
  "task_done",
  "task_stopped",
  "task_failed",
  "task_cancel_failed",
  "handle_not_revoked",
  "database_connection_lost",
  "file_served",
  "file_refused",
  "history_missing",
  "placeholder_missing",
  "post_retried",
  "file_not_attached",
  "answer_posted",
  "answer_lost",
  "stop_requested",
  "session_status_refused",
  "rpc_answered",
  "call_repeated",
] as const;

export type VerificationEvent = (typeof ownEvents)[number] | (typeof tracingEvents)[number] | GracefulStopEvent;

/** Every event that the verification zone logs. */
export const verificationEvents: readonly VerificationEvent[] = [...ownEvents, ...tracingEvents, ...gracefulStopEvents];
