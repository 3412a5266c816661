/**
 * `refused`: permanent, a retry gets the same error. `rate_limited`: not done, retry later. `unavailable`: it is unknown whether the call
 * was done.
 */
export const slackCallFailures = ["refused", "rate_limited", "unavailable"] as const;

export type SlackCallFailure = (typeof slackCallFailures)[number];

/** A failed Web API call. `code` is Slack's error code, if any: https://docs.slack.dev/apis/web-api/#errors */
export class SlackCallError extends Error {
  override readonly name = "SlackCallError";
  readonly method: string;
  readonly failure: SlackCallFailure;
  readonly code: string;
  /** The wait that Slack requests, milliseconds; only with `rate_limited`. */
  readonly retryAfterMs: number | undefined;

  constructor(
    method: string,
    detail: { failure: SlackCallFailure; code: string; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(`${method}: ${detail.code}`, { cause: detail.cause });
    this.method = method;
    this.failure = detail.failure;
    this.code = detail.code;
    this.retryAfterMs = detail.retryAfterMs;
  }
}
