import type { RefusalRow } from "@crosszone/service-kit";
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

/**
 * Why a file is not served: the HTTP status, and advice that execution may show to the requester. `slack_…` reasons are faults of
 * Slack's file host.
 */
export const fileRefusals = {
  method_not_allowed: { status: 405, advice: "Use GET to read files." },
  unauthorized: { status: 401, advice: "The files of this message can no longer be read." },
  unknown_file: { status: 404, advice: "It is not a file of the message or its thread." },
  not_shared: { status: 404, advice: "It is not, or no longer, shared in this conversation." },
  external: { status: 403, advice: "It is stored outside Slack, where I can't read it." },
  deleted: { status: 404, advice: "It was deleted." },
  hidden: { status: 403, advice: "Slack hides it, because the workspace has reached a limit of its plan." },
  canvas: { status: 415, advice: "It is a canvas, which I can't read." },
  list: { status: 415, advice: "It is a list, which I can't read." },
  not_transcribed: { status: 503, advice: "Slack has not transcribed it yet. Please try again in a moment." },
  no_contents: { status: 404, advice: "Slack has no contents of it." },
  type_not_allowed: { status: 415, advice: "Files of this type are not allowed here." },
  too_large: { status: 413, advice: "It is larger than the limit for files here." },
  too_many: { status: 429, advice: "The limit of file reads for one question is reached." },
  busy: { status: 503, advice: "Too many files are being read right now. Please try again in a moment." },
  slack_unavailable: { status: 502, advice: "Slack did not return it. Please try again in a moment." },
  slack_refused: { status: 502, advice: "Slack refused access to it. Please tell the people who run this service." },
  slack_signed_out: {
    status: 502,
    advice:
      "Slack asked me to sign in. Please tell the people who run this service that the app may lack `files:read`.",
  },
  slack_redirected: { status: 502, advice: "Slack redirected me to an address that is not allowed." },
  slack_elsewhere: { status: 502, advice: "It is not on Slack's file host." },
  slack_wrong_type: { status: 502, advice: "Its contents do not match its type." },
  timeout: { status: 504, advice: "Reading it from Slack took too long." },
  zone_unavailable: { status: 503, advice: "This service can't work right now. Please try again in a moment." },
  internal: { status: 500, advice: "Something went wrong while I was reading it." },
} as const satisfies Record<string, RefusalRow>;

export type FileRefusal = keyof typeof fileRefusals;

/** Thrown for a file that is not served. `cause` is for the log. */
export class FileRefusedError extends Error {
  override readonly name = "FileRefusedError";
  readonly reason: FileRefusal;

  constructor(reason: FileRefusal, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
