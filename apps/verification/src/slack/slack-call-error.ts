/** `refused`: Slack said no, and will again. `rate_limited`: not done, try later. `unavailable`: nobody knows whether it was done. */
export const slackCallFailures = ["refused", "rate_limited", "unavailable"] as const;

export type SlackCallFailure = (typeof slackCallFailures)[number];

/** A Web API call that failed. `code` is Slack's own error code where there is one: https://docs.slack.dev/apis/web-api/#errors */
export class SlackCallError extends Error {
  override readonly name = "SlackCallError";
  readonly method: string;
  readonly failure: SlackCallFailure;
  readonly code: string;
  /** How long Slack asks to wait, milliseconds; with `rate_limited`. */
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
