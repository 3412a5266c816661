import {
  gracefulStopEvents,
  retentionEvents,
  type GracefulStopEvent,
  type Logger,
  type MetricsRegistry,
  type RetentionEvent,
} from "@crosszone/service-kit";
import { tracingEvents, type Tracer } from "@crosszone/service-kit/tracing";

const ownEvents = [
  "file_not_usable",
  "listening",
  "config_warning",
  "http_refused",
  "http_failed",
  "slack_identified",
  "install_open",
  "app_installed",
  "install_refused",
  "app_removed",
  "slack_not_identified",
  "slack_app_unknown",
  "slack_request_refused",
  "slack_sdk_remark",
  "slack_call_failed",
  "event_accepted",
  "event_duplicate",
  "event_ignored",
  "event_refused",
  "event_not_stored",
  "inbox_failed",
  "inbox_back",
  "lease_lost",
  "record_retried",
  "record_handed_back",
  "record_parked",
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
  "database_waited_for",
  "database_connection_lost",
  "file_served",
  "file_refused",
  "history_missing",
  "placeholder_missing",
  "stream_not_started",
  "stream_ended",
  "post_retried",
  "file_not_attached",
  "answer_posted",
  "answer_lost",
  "stop_requested",
  "command_refused",
  "command_ended",
  "command_answer_not_taken",
  "command_answer_lost",
  "session_status_refused",
  "rpc_answered",
  "call_repeated",
] as const;

export type VerificationEvent =
  (typeof ownEvents)[number] | (typeof tracingEvents)[number] | GracefulStopEvent | RetentionEvent;

/** All log events of the verification zone. */
export const verificationEvents: readonly VerificationEvent[] = [
  ...ownEvents,
  ...tracingEvents,
  ...gracefulStopEvents,
  ...retentionEvents,
];

/** Where observers log, count and trace. */
export interface ObserverDeps {
  readonly logger: Logger<VerificationEvent>;
  readonly registry: MetricsRegistry;
  readonly tracer: Tracer;
}
