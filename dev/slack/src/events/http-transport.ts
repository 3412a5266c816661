import { type Dispatcher, request } from "undici";
import type { AttemptOutcome, EventAttempt, EventTransport, RetryReason } from "./event-envelope.ts";
import { type SentRequest, signedHeaders } from "./signed-request.ts";

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
    const response = await request(url, {
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
