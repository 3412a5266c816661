import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiTokens } from "@crosszone/admin-api";
import {
  answer,
  answerHeaders,
  type Emit,
  type EventStream,
  type Exchange,
  type Judged,
  openEventStream,
  type Refusal,
  surface,
  type TokenBuckets,
  type Verdict,
} from "@crosszone/service-kit";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Authenticator, AuthVerdict } from "../auth/authenticator.ts";
import { createReportRefused, refuse, refuseCaller, writeRpcRefusal } from "../serve-route.ts";
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
export function createRpcRoute(deps: RpcRouteDeps, emit: Emit<ExecutionEvent>) {
  const { dispatch, authenticator, maxBytes, untypedBodies = false, callerLimit, onUse } = deps;
  const judged = (verdict: AuthVerdict): Judged<string> =>
    "refused" in verdict ? refuseCaller(verdict.refused, authenticator) : { who: verdict.caller };
  const found = (verdict: AuthVerdict): Verdict<string> => {
    const confirm = "refused" in verdict ? undefined : verdict.confirm;
    return confirm === undefined ? judged(verdict) : { confirm: (body) => judged(confirm(body)) };
  };
  const unavailable = (cause: unknown): Refusal => refuse("auth_unavailable", { retryAfterMs: 1_000, cause });
  return surface<string>({
    methods: ["POST"],
    auth: ({ request }) => {
      try {
        const verdict = authenticator.authenticate(request);
        return verdict instanceof Promise ? verdict.then(found, unavailable) : found(verdict);
      } catch (cause) {
        return unavailable(cause);
      }
    },
    body: () => ({
      maxBytes,
      types: ["application/json", ...(untypedBodies ? ["application/octet-stream", ""] : [])],
      accept: { accept: "application/json" },
    }),
    onUse: (caller, { from }) => onUse?.({ actor: `zone:${caller}`, from, surface: "zone" }),
    limit: (caller) => callerLimit?.take(caller) ?? 0,
    serve: (exchange, call) => answerRequest(dispatch, exchange, call),
    refuse,
    write: writeRpcRefusal,
    onRefused: createReportRefused(emit),
  });
}

async function answerRequest(
  dispatch: RpcRouteDeps["dispatch"],
  exchange: Exchange,
  { who: caller, body }: { readonly who: string; readonly body: Uint8Array },
): Promise<void> {
  const { request, response, requestId, correlationId, signal } = exchange;
  const traceparent = readTraceparent(request.headers["traceparent"]);
  const events = takesEvents(request) ? createEventAnswer(response, { correlationId, signal }) : undefined;
  const notify = events && { notify: events.notify };
  const origin = (): string => requestOrigin(request);
  // The params can say another correlation id.
  const context = { caller, correlationId, requestId, traceparent, origin, signal, ...notify };
  const text = await dispatch(body, context);
  if (exchange.lost) throw exchange.lost;
  if (events?.end(text) === true) return;
  const headers = ["x-correlation-id", context.correlationId];
  if (text === undefined) response.writeHead(204, [...answerHeaders(response), ...headers]).end();
  else answer(response, 200, { contentType: "application/json", body: text, headers });
}

const takesEvents = ({ headers }: IncomingMessage): boolean => /\btext\/event-stream\b/i.test(headers.accept ?? "");

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
  response.once("close", () => {
    clearTimeout(idle);
    stream?.stop();
  });
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
