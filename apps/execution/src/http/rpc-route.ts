import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, answerHeaders, requestIdOf, type TokenBuckets } from "@crosszone/service-kit";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import type { RequestContext } from "../methods/request-context.ts";
import type { Authenticator, Verdict } from "./auth/authenticator.ts";
import { correlationOfRequest, originOf, readBody } from "./read-request.ts";
import { createEventAnswer } from "./event-answer.ts";
import { type Refusal, refuse, refuseCaller } from "./refuse.ts";

export interface RpcRouteDeps {
  dispatch: (message: Uint8Array, context: RequestContext) => Promise<string | undefined>;
  authenticator: Authenticator;
  /** Largest body, bytes. */
  maxBytes: number;
  /** Treats a body without a content type, or with `application/octet-stream`, as JSON. */
  untypedBodies?: boolean;
  /** Limits the requests of each caller; unlimited when absent. */
  callerLimit?: TokenBuckets | undefined;
  /** Called for each request that HTTP refused before JSON-RPC saw it. */
  onRefused: (refusal: Refusal) => void;
}

/**
 * JSON-RPC 2.0 over HTTP: POST, JSON in, JSON out; or server-sent events if the caller accepts them and the method
 * sends notifications. 200 for every JSON-RPC answer, 204 for none. Refusals by HTTP (401, 405, 413, 415, 429, 503)
 * also have a JSON-RPC error as body. Never HTML.
 *
 * The cheapest checks come first, and a body is read only after its header was accepted. The caller's limit comes after
 * the body: only then is the caller of a signed request proven, and its connection can be kept.
 */
export function createRpcRoute(
  deps: RpcRouteDeps,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { dispatch, authenticator, maxBytes, untypedBodies = false, callerLimit, onRefused } = deps;

  return async (request, response) => {
    const requestId = requestIdOf(response);
    const correlationId = correlationOfRequest(request.headers, requestId);
    const exchange = { request, response, correlationId };

    if (request.method !== "POST")
      return onRefused(refuse(exchange, "method_not_allowed", { headers: { allow: "POST" } }));
    let verdict: Verdict;
    try {
      const decision = authenticator.authenticate(request);
      verdict = decision instanceof Promise ? await decision : decision;
    } catch (cause) {
      return onRefused({ ...refuse(exchange, "auth_unavailable", { retryAfterMs: 1_000 }), cause });
    }
    if ("refused" in verdict) return onRefused(refuseCaller(exchange, verdict.refused, authenticator));
    if (!isPlainJson(request, untypedBodies))
      return onRefused(refuse(exchange, "content_type", { headers: { accept: "application/json" } }));

    const body = await readBody(request, maxBytes);
    if (body === "aborted") return;
    if (body === "too_large") return onRefused(refuse(exchange, "too_large"));
    const confirmed = verdict.confirm === undefined ? verdict : verdict.confirm(body);
    if ("refused" in confirmed) return onRefused(refuseCaller(exchange, confirmed.refused, authenticator));
    const { caller } = confirmed;
    const retryAfterMs = callerLimit?.take(caller) ?? 0;
    if (retryAfterMs > 0) return onRefused(refuse(exchange, "too_many", { retryAfterMs }));

    const gone = new AbortController();
    response.once("close", () => {
      // Closing after the whole answer is normal; aborting then would cost more than the rest of this route.
      if (!response.writableFinished) gone.abort();
    });
    const traceparent = readTraceparent(request.headers["traceparent"]);
    const events = takesEvents(request)
      ? createEventAnswer(response, { correlationId, signal: gone.signal })
      : undefined;
    const notify = events && { notify: events.notify };
    const origin = (): string => originOf(request);
    const context = { caller, correlationId, requestId, traceparent, origin, signal: gone.signal, ...notify };
    const text = await dispatch(body, context);
    if (events?.end(text) === true) return;
    const headers = ["x-correlation-id", context.correlationId];
    if (text === undefined) response.writeHead(204, [...answerHeaders(response), ...headers]).end();
    else answer(response, 200, { contentType: "application/json", body: text, headers });
  };
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
