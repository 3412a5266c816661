import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiTokens } from "@crosszone/admin-api";
import {
  answer,
  answerHeaders,
  arrivingBytes,
  ByteBudget,
  type EventStream,
  type HeldBytes,
  openEventStream,
  readBody,
  senderOf,
  type TokenBuckets,
} from "@crosszone/service-kit";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import type { Accepted, Authenticator } from "../auth/authenticator.ts";
import { type RoutedRequest, type Refusal, refuseCaller, type Route } from "../serve-route.ts";
import { requestOrigin } from "./describe-zone.ts";
import type { RequestContext } from "./execute-task.ts";

export interface RpcRouteDeps {
  readonly dispatch: (message: Uint8Array, context: RequestContext) => Promise<string | undefined>;
  readonly authenticator: Authenticator;
  /** Largest body, bytes. */
  readonly maxBytes: number;
  /** Treats a body without a content type, or with `application/octet-stream`, as JSON. */
  readonly untypedBodies?: boolean;
  /** Limits the requests of each caller; unlimited when absent. */
  readonly callerLimit?: TokenBuckets;
  readonly onUse?: ApiTokens["onUse"];
}

/**
 * JSON-RPC 2.0 over HTTP: POST, JSON in, JSON out; or server-sent events if the caller accepts them and the method
 * sends notifications. 200 for every JSON-RPC answer, 204 for none. Refusals by HTTP (401, 405, 413, 415, 429, 503)
 * also have a JSON-RPC error as body. Never HTML.
 */
export function createRpcRoute(deps: RpcRouteDeps): Route {
  const arriving = new ByteBudget(arrivingBytes);
  return async (exchange) => {
    const held = arriving.open(senderOf(exchange.request).address);
    const accepted = await acceptRequest(deps, exchange, held).finally(held.close);
    if (accepted === "aborted") return undefined;
    if ("reason" in accepted) return accepted;
    await answerRequest(deps.dispatch, exchange, accepted);
    return undefined;
  };
}

interface AcceptedRequest {
  readonly caller: string;
  readonly body: Uint8Array;
}

/**
 * Returns the body and the caller, or why the request is refused. The cheapest checks come first, and a body is read
 * only after its header was accepted. The caller's limit comes after the body: only then is the caller of a signed
 * request proven, and its connection can be kept.
 */
async function acceptRequest(
  { authenticator, maxBytes, untypedBodies = false, callerLimit, onUse }: RpcRouteDeps,
  { request }: RoutedRequest,
  held: HeldBytes,
): Promise<AcceptedRequest | Refusal | "aborted"> {
  if (request.method !== "POST") return { reason: "method_not_allowed", headers: { allow: "POST" } };
  const verdict = await authenticated(authenticator, request);
  if ("reason" in verdict) return verdict;
  if (!isPlainJson(request, untypedBodies)) return { reason: "content_type", headers: { accept: "application/json" } };
  const body = await readBody(request, maxBytes, held);
  if (body === "aborted") return "aborted";
  if (body === "no_room") return { reason: "too_many", retryAfterMs: 1_000 };
  if (body === "too_large") return { reason: "too_large" };
  const confirmed = verdict.confirm === undefined ? verdict : verdict.confirm(body);
  if ("refused" in confirmed) return refuseCaller(confirmed.refused, authenticator);
  const { caller } = confirmed;
  onUse?.({ actor: `zone:${caller}`, from: senderOf(request), surface: "zone" });
  const retryAfterMs = callerLimit?.take(caller) ?? 0;
  return retryAfterMs > 0 ? { reason: "too_many", retryAfterMs } : { caller, body };
}

async function authenticated(authenticator: Authenticator, request: IncomingMessage): Promise<Accepted | Refusal> {
  try {
    const decision = authenticator.authenticate(request);
    const verdict = decision instanceof Promise ? await decision : decision;
    return "refused" in verdict ? refuseCaller(verdict.refused, authenticator) : verdict;
  } catch (cause) {
    return { reason: "auth_unavailable", retryAfterMs: 1_000, cause };
  }
}

async function answerRequest(
  dispatch: RpcRouteDeps["dispatch"],
  { request, response, requestId, correlationId }: RoutedRequest,
  { caller, body }: AcceptedRequest,
): Promise<void> {
  const signal = signalOf(response);
  const traceparent = readTraceparent(request.headers["traceparent"]);
  const events = takesEvents(request) ? createEventAnswer(response, { correlationId, signal }) : undefined;
  const notify = events && { notify: events.notify };
  const origin = (): string => requestOrigin(request);
  const context = { caller, correlationId, requestId, traceparent, origin, signal, ...notify };
  const text = await dispatch(body, context);
  if (events?.end(text) === true) return;
  const headers = ["x-correlation-id", context.correlationId];
  if (text === undefined) response.writeHead(204, [...answerHeaders(response), ...headers]).end();
  else answer(response, 200, { contentType: "application/json", body: text, headers });
}

/** Returns a signal that aborts when the client disconnects before the answer's end. */
export function signalOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    // Closing after the whole answer is normal; aborting then would cost more than the rest of this route.
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

const takesEvents = ({ headers }: IncomingMessage): boolean => /\btext\/event-stream\b/i.test(headers.accept ?? "");

/** `application/json` in UTF-8, not compressed. Nothing here decompresses, so no body can expand. */
function isPlainJson({ headers }: IncomingMessage, untypedBodies: boolean): boolean {
  const type = headers["content-type"] ?? "";
  const isUntyped = untypedBodies && /^(application\/octet-stream)?$/i.test(type);
  return (
    (isUntyped || /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) &&
    (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
  );
}

/** Shorter than the idle timeouts of load balancers, milliseconds. */
const heartbeatMs = 15_000;

/**
 * Creates an answer that becomes a stream of server-sent events with the first notification, or when the first heartbeat is due. Each event
 * is one JSON-RPC message; the last is the answer. `signal` aborts when the client stops reading.
 */
function createEventAnswer(
  response: ServerResponse,
  { correlationId, signal }: { readonly correlationId: string; readonly signal: AbortSignal },
) {
  let stream: EventStream | undefined;
  const headers = ["x-correlation-id", correlationId];
  const begin = (): EventStream => (stream ??= openEventStream(response, { headers, heartbeatMs, signal }));
  const idle = setTimeout(begin, heartbeatMs);
  return {
    notify: async (message: string): Promise<void> => {
      clearTimeout(idle);
      await begin()
        .send(textOf(message))
        .catch(() => undefined);
    },
    /** Ends the stream with the answer. Returns false when no stream was started; the answer is then still to be sent. */
    end: (body: string | undefined): boolean => {
      clearTimeout(idle);
      if (stream === undefined) return false;
      stream.stop();
      response.end(body === undefined ? undefined : textOf(body));
      return true;
    },
  };
}

/** JSON has no line breaks, so the data is one line. */
const textOf = (message: string): string => `data: ${message}\n\n`;
