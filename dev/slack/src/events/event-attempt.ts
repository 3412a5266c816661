import type { EventEnvelope } from "./event-envelope.ts";

/** Why Slack retries an event; `timeout` is Socket Mode's. See https://docs.slack.dev/apis/events-api#retries */
export type RetryReason =
  "http_timeout" | "http_error" | "connection_failed" | "ssl_error" | "unknown_error" | "timeout";

/** One attempt to deliver an event. */
export interface EventAttempt {
  envelope: EventEnvelope;
  /** 0 for the first attempt. */
  retryNum: number;
  /** Set on a retry: why the previous attempt failed. */
  retryReason?: RetryReason;
}

/** The outcome of one attempt. */
export interface AttemptOutcome {
  /** HTTP status; 200 for an acknowledged socket message; 0 without a response. */
  status: number;
  accepted: boolean;
  /** The app answered `X-Slack-No-Retry: 1`. */
  noRetry: boolean;
  /** Set if it was not accepted. */
  reason?: RetryReason;
  /** The sent request, for the traffic record. */
  request: unknown;
  response: unknown;
}

/** Delivers one attempt and never rejects; `signal` aborts it, as a failure. */
export type EventTransport = (attempt: EventAttempt, signal: AbortSignal) => Promise<AttemptOutcome>;
