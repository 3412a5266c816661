import { createHmac } from "node:crypto";
import type { EventAttempt, EventTransport, RetryReason } from "./event-envelope.ts";
import { type Dispatcher, request as post } from "undici";

/**
 * Returns the `X-Slack-Signature` of a request: HMAC-SHA256 over `v0:timestamp:body` with the signing secret. See
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function slackSignature(signingSecret: string, timestamp: number, body: string): string {
  return `v0=${createHmac("sha256", signingSecret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
}

/** Returns the headers of a request from Slack to an app, signed for this `timestamp` (Unix seconds). */
export function signedHeaders(signingSecret: string, timestamp: number, body: string): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "*/*",
    "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
    "x-slack-request-timestamp": String(timestamp),
    "x-slack-signature": slackSignature(signingSecret, timestamp, body),
  };
}

/** What came of one request to the app. */
interface PostOutcome {
  url: string;
  headers: Record<string, string>;
  /** HTTP status; 0 without a response. */
  status: number;
  /** The body of the response, or why there is none. */
  text: string;
  /** The app answered `X-Slack-No-Retry: 1`. */
  noRetry: boolean;
  /** Set without a response. */
  reason?: RetryReason;
}

/** Posts a body to the app, signed, on its own connection. `headers` replace those of an event. Never rejects; `signal` aborts it. */
export type SignedPost = (body: string, headers: Record<string, string>, signal?: AbortSignal) => Promise<PostOutcome>;

/** Options of the requests; the URL is read for each of them, because it can change. */
export interface SignedPostOptions {
  eventsUrl: () => string | undefined;
  signingSecret: string;
  /** Timeout for an app's response, milliseconds. */
  ackTimeoutMs: number;
  dispatcher: Dispatcher;
  /** Unix seconds. */
  now: () => number;
}

export function createSignedPost(options: SignedPostOptions): SignedPost {
  const { eventsUrl, signingSecret, ackTimeoutMs, dispatcher, now } = options;
  return async (body, own, signal) => {
    const url = eventsUrl();
    if (url === undefined) throw new Error("no events URL is set");
    const headers = { ...signedHeaders(signingSecret, now(), body), ...own };
    const timeout = AbortSignal.timeout(ackTimeoutMs);
    const either = AbortSignal.any(signal ? [signal, timeout] : [timeout]);
    try {
      const response = await post(url, { method: "POST", headers, body, dispatcher, signal: either });
      const { statusCode: status, headers: answered } = response;
      const noRetry = answered["x-slack-no-retry"] === "1";
      return { url, headers, status, text: await response.body.text(), noRetry };
    } catch (error) {
      const reason = timeout.aborted ? "http_timeout" : reasonOf(error);
      return { url, headers, status: 0, text: describe(error, reason), noRetry: false, reason };
    }
  };
}

/** Sends events as signed HTTP requests; a redirect counts as `http_error`. See https://docs.slack.dev/apis/events-api */
export function createHttpTransport(send: SignedPost): EventTransport {
  return async (attempt, signal) => {
    const { envelope } = attempt;
    const { url, headers, status, text, ...outcome } = await send(
      JSON.stringify(envelope),
      retryHeaders(attempt),
      signal,
    );
    const accepted = status >= 200 && status < 300;
    const { reason = "http_error" } = outcome;
    return {
      status,
      accepted,
      noRetry: !accepted && outcome.noRetry,
      ...(!accepted && { reason }),
      request: { url, headers, body: envelope },
      response: status === 0 ? { error: text } : { status, body: text },
    };
  };
}

function retryHeaders({ retryNum, retryReason }: EventAttempt): Record<string, string> {
  if (retryNum === 0) return {};
  return { "x-slack-retry-num": String(retryNum), "x-slack-retry-reason": retryReason ?? "unknown_error" };
}

function reasonOf(error: unknown): RetryReason {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(ERR_(SSL|TLS)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) return "ssl_error";
  if (/^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|UND_ERR_(SOCKET|CONNECT))/.test(code)) return "connection_failed";
  return "unknown_error";
}

function describe(error: unknown, reason: RetryReason): string {
  const detail =
    error instanceof Error ? error.message || ("code" in error ? String(error.code) : error.name) : String(error);
  return `${reason}: ${detail}`;
}
