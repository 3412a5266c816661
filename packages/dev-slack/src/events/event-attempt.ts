import type { EventEnvelope } from "./event-envelope.ts";

/** Why Slack sends an event again; `timeout` is Socket Mode's. See https://docs.slack.dev/apis/events-api#retries */
export type RetryReason =
  "http_timeout" | "http_error" | "connection_failed" | "ssl_error" | "unknown_error" | "timeout";

/** One try to hand an event to the app. */
export interface EventAttempt {
  envelope: EventEnvelope;
  /** 0 for the first try. */
  retryNum: number;
  /** Set on a retry: what was wrong with the try before. */
  retryReason?: RetryReason;
}

/** What became of one try. */
export interface AttemptOutcome {
  /** HTTP status; 200 for an acknowledged socket message; 0 when no answer came. */
  status: number;
  accepted: boolean;
  /** The app answered `X-Slack-No-Retry: 1`. */
  noRetry: boolean;
  /** Set when it was not accepted. */
  reason?: RetryReason;
  /** What was sent, for the traffic record. */
  request: unknown;
  response: unknown;
}

/** Carries one try to the app and resolves in any case; `signal` ends it early, as a failure. */
export type EventTransport = (attempt: EventAttempt, signal: AbortSignal) => Promise<AttemptOutcome>;
