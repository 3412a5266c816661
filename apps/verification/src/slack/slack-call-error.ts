import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";

/** Codes of Slack's internal errors; the call may have taken effect. */
const troubled: ReadonlySet<string> = new Set([
  "fatal_error",
  "internal_error",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
]);

/** Converts an error of Slack's client to a `SlackCallError`. */
export function readCallError(method: string, error: unknown): SlackCallError {
  if (error instanceof WebAPIRateLimitedError)
    return new SlackCallError(method, {
      failure: "rate_limited",
      code: "ratelimited",
      retryAfterMs: error.retryAfter * 1_000,
    });
  if (error instanceof WebAPIPlatformError) return platformError(method, error.data.error);
  if (error instanceof WebAPIHTTPError) return unavailable(method, `http_${error.statusCode}`, error);
  if (error instanceof WebAPIRequestError) return unavailable(method, reasonOf(error.original), error);
  return unavailable(method, "failed", error);
}

function platformError(method: string, code: string): SlackCallError {
  // A response that is not JSON arrives here as a whole page.
  if (!/^[\w.:-]{1,80}$/.test(code)) return unavailable(method, "unreadable_answer");
  if (code === "ratelimited" || code === "rate_limited")
    return new SlackCallError(method, { failure: "rate_limited", code });
  return troubled.has(code) ? unavailable(method, code) : new SlackCallError(method, { failure: "refused", code });
}

function unavailable(method: string, code: string, cause?: unknown): SlackCallError {
  return new SlackCallError(method, { failure: "unavailable", code, cause });
}

function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return "timeout";
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? (error as NodeJS.ErrnoException).code;
  return typeof code === "string" ? code.toLowerCase() : "connection_failed";
}

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
