import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Forgery } from "../protocol/faults.ts";
import type { AttemptOutcome, EventAttempt, EventEnvelope, EventTransport, RetryReason } from "./event-envelope.ts";
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

/** A sent request, so that it can be repeated byte for byte. */
export interface SentRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The response to one request: its status (0 without a response), duration and text. */
export interface SendResult {
  status: number;
  ms: number;
  body: string;
}

/**
 * Sends one request outside event delivery, on its own connection. A response during the upload of the body counts: an app refuses too
 * large a body that way.
 */
export function sendOnce({ url, headers, body }: SentRequest, timeoutMs: number): Promise<SendResult> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  const end = (status: number, text: string): void =>
    resolve({ status, ms: Math.round(performance.now() - started), body: text });
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  const call = request(url, {
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    agent: false,
    timeout: timeoutMs,
  });
  call.on("response", (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => (text += chunk));
    response.on("close", () => {
      end(response.statusCode ?? 0, text);
      call.destroy();
    });
  });
  call.on("timeout", () => call.destroy(new Error("timeout")));
  call.on("error", () => end(0, ""));
  call.end(body);
  return promise;
}

const SKEW_SECONDS = 600;
const TOO_LARGE = 5_000_000;

/** The parts of a forged request. */
interface ForgedRequestParts {
  url: string;
  /** A valid event; each forgery spoils one aspect of it. */
  envelope: EventEnvelope;
  signingSecret: string;
  /** Unix seconds. */
  now: number;
}

/**
 * Returns a bad request that an app must refuse. All but `no_headers` and `wrong_secret` are signed with the real secret. `stale` and
 * `future` are ten minutes off, `suffix` has text after the valid signature, `v1` has another version before it, `too_large` has 5 MB, and
 * `wrong_app` is for another app.
 */
export function forgedRequest(kind: Forgery["kind"], parts: ForgedRequestParts): SentRequest {
  const { url, signingSecret, now } = parts;
  const envelope = spoiledEnvelope(kind, parts.envelope);
  const body = JSON.stringify(envelope);
  const skew = { stale: -SKEW_SECONDS, future: SKEW_SECONDS }[kind as string] ?? 0;
  const secret = kind === "wrong_secret" ? `${signingSecret}x` : signingSecret;
  const headers = signedHeaders(secret, now + skew, body);
  const signature = headers["x-slack-signature"] ?? "";
  if (kind === "suffix") headers["x-slack-signature"] = `${signature}=junk`;
  if (kind === "v1") headers["x-slack-signature"] = signature.replace(/^v0/, "v1");
  if (kind === "no_headers") {
    delete headers["x-slack-signature"];
    delete headers["x-slack-request-timestamp"];
  }
  return { url, headers, body };
}

function spoiledEnvelope(kind: Forgery["kind"], envelope: EventEnvelope): EventEnvelope {
  if (kind === "wrong_app") return { ...envelope, api_app_id: "A0SOMEOTHER" };
  if (kind === "too_large") return { ...envelope, event: { ...envelope.event, text: "x".repeat(TOO_LARGE) } };
  return envelope;
}

/** Options of the transport; read for each attempt, because the events URL can change. */
export interface HttpTransportOptions {
  eventsUrl: () => string | undefined;
  signingSecret: string;
  /** Timeout for an app's response, milliseconds. */
  ackTimeoutMs: number;
  dispatcher: Dispatcher;
  /** Unix seconds. */
  now: () => number;
  /** Called with every request that the app answered. */
  onSent: (sent: SentRequest) => void;
}

/** Sends events as signed HTTP requests; a redirect counts as `http_error`. See https://docs.slack.dev/apis/events-api */
export function createHttpTransport(options: HttpTransportOptions): EventTransport {
  return async (attempt, signal) => {
    const url = options.eventsUrl();
    if (url === undefined) throw new Error("no events URL is set");
    const body = JSON.stringify(attempt.envelope);
    const headers = { ...signedHeaders(options.signingSecret, options.now(), body), ...retryHeaders(attempt) };
    const described = { url, headers, body: attempt.envelope };
    const outcome = await send({ url, headers, body }, options, signal);
    if (outcome.status > 0) options.onSent({ url, headers, body });
    return { ...outcome, request: described };
  };
}

function retryHeaders({ retryNum, retryReason }: EventAttempt): Record<string, string> {
  if (retryNum === 0) return {};
  return { "x-slack-retry-num": String(retryNum), "x-slack-retry-reason": retryReason ?? "unknown_error" };
}

async function send(
  { url, headers, body }: SentRequest,
  { ackTimeoutMs, dispatcher }: HttpTransportOptions,
  signal: AbortSignal,
): Promise<Omit<AttemptOutcome, "request">> {
  const timeout = AbortSignal.timeout(ackTimeoutMs);
  try {
    const response = await post(url, {
      method: "POST",
      headers,
      body,
      dispatcher,
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await response.body.text();
    const accepted = response.statusCode >= 200 && response.statusCode < 300;
    return {
      status: response.statusCode,
      accepted,
      noRetry: !accepted && response.headers["x-slack-no-retry"] === "1",
      ...(!accepted && { reason: "http_error" as const }),
      response: { status: response.statusCode, body: text },
    };
  } catch (error) {
    const reason = timeout.aborted ? "http_timeout" : reasonOf(error);
    return { status: 0, accepted: false, noRetry: false, reason, response: { error: describe(error, reason) } };
  }
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
