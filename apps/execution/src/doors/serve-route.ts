import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorKind, errorTable, ZoneError } from "@crosszone/contracts";
import { errorToJson } from "@crosszone/jsonrpc";
import {
  answer,
  answerJson,
  type BadRequest,
  type BadRequestAnswer,
  correlationOfRequest,
  type Emit,
  refusalHeaders,
  requestIdOf,
  senderOf,
} from "@crosszone/service-kit";
import { outageOf } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type Authenticator, type AuthRefusal, authRefusals } from "./auth/authenticator.ts";

export type RefusalReason = AuthRefusal | keyof typeof rules;

/** Why a route refuses a request, and what its answer says besides the reason's own message. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
  /** The error in this zone, when the caller is not at fault. For the log only. */
  readonly cause?: unknown;
}

interface Rule {
  readonly status: number;
  readonly kind: ErrorKind;
  readonly message: string;
}

/** HTTP refusals, with what tells the caller how to fix the request. */
const rules = {
  method_not_allowed: { status: 405, kind: "invalid_request", message: "send the request by POST" },
  content_type: { status: 415, kind: "invalid_request", message: "send application/json in UTF-8, not compressed" },
  too_large: { status: 413, kind: "payload_too_large", message: "the body is larger than this server accepts" },
  too_many: { status: 429, kind: "rate_limited", message: "this caller exceeded its request limit; wait a little" },
  missing_scope: { status: 403, kind: "unauthorized", message: "the token lacks the scope ask" },
  host_not_allowed: {
    status: 403,
    kind: "unauthorized",
    message: "the Host header is neither the host of ASK_URL nor localhost; set ASK_URL to the URL that programs use",
  },
  origin_not_allowed: { status: 403, kind: "unauthorized", message: "pages of other sites can't send requests" },
  auth_unavailable: { status: 503, kind: "zone_unavailable", message: "credentials can't be checked right now" },
} as const satisfies Record<string, Rule>;

const unauthorized: Rule = { status: 401, kind: "unauthorized", message: "the credentials are not valid" };

const ruleOf = (reason: RefusalReason): Rule => (reason in rules ? rules[reason as keyof typeof rules] : unauthorized);

/** Every reason, for a metric. */
export const refusalReasons: readonly RefusalReason[] = [
  ...authRefusals,
  ...(Object.keys(rules) as (keyof typeof rules)[]),
];

/** Returns the 401 refusal. The caller learns whether credentials are missing or invalid; the log has the reason. */
export function refuseCaller(reason: AuthRefusal, { challenge, hint }: Authenticator): Refusal {
  if (reason === "credentials_missing") return { reason, message: hint, headers: { "www-authenticate": challenge } };
  // https://www.rfc-editor.org/rfc/rfc6750#section-3
  const invalid = challenge === "Bearer" ? 'Bearer error="invalid_token"' : challenge;
  return { reason, headers: { "www-authenticate": invalid } };
}

/** A request and its answer, while a route handles them. */
export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The HTTP request's id in logs. */
  readonly requestId: string;
  readonly correlationId: string;
}

/** Answers with the reason's status and a JSON-RPC error that says what to do. Returns the fields of `http_refused`. */
export function refuse(exchange: RoutedRequest, refusal: Refusal, write = refusalText) {
  const { request, response, requestId, correlationId } = exchange;
  const { reason, retryAfterMs, cause } = refusal;
  const { status, kind, message } = ruleOf(reason);
  const headers = { ...refusal.headers, ...refusalHeaders({ request, correlationId, retryAfterMs }) };
  const text = outageOf(cause)?.what ?? refusal.message ?? message;
  const data = { problems: [{ pointer: "", message: text }], retry_after_ms: retryAfterMs };
  const body = write(new ZoneError(kind, data), exchange);
  answer(response, status, { contentType: "application/json", body, headers: Object.entries(headers).flat() });
  const ids = { correlation_id: correlationId, http_request_id: requestId };
  return { status, kind, reason, code: errorTable[kind].code, ...ids, ...senderOf(request), cause };
}

/** Writes the JSON-RPC error for something that never became a request: `id` is null. */
export type WriteRefusal = (error: ZoneError, of: { request: IncomingMessage; correlationId?: string }) => string;

export const refusalText: WriteRefusal = (error, { correlationId = randomUUID() }) =>
  JSON.stringify({ jsonrpc: "2.0", error: errorToJson(error, correlationId), id: null });

/** Handles a request. Resolves with a refusal to answer, with `not_found` for the 404 answer, or with nothing. */
export type Route = (exchange: RoutedRequest) => Promise<Refusal | "not_found" | undefined>;

/** The rest of the routes, or the last answer: 404 without an error, otherwise the error's status. */
export type Next = (error?: unknown) => void;

/** Returns a route as a handler: it answers refusals, and passes errors and `not_found` on. */
export function serveRoute(route: Route, emit: Emit<ExecutionEvent>, write = refusalText) {
  return async (request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> => {
    const requestId = requestIdOf(response);
    const exchange = { request, response, requestId, correlationId: correlationOfRequest(request.headers, requestId) };
    try {
      const refusal = await route(exchange);
      if (refusal === "not_found") next();
      else if (refusal !== undefined) emit("http_refused", refuse(exchange, refusal, write));
    } catch (error) {
      next(error);
    }
  };
}

/** Creates the last answer for requests that no route has handled. `rpcPath` is undefined in processes without JSON-RPC. */
export function createLastAnswer(rpcPath: string | undefined, emit: Emit<ExecutionEvent>, write = refusalText) {
  return (response: ServerResponse): Next =>
    (error) => {
      const status = statusOf(error);
      const { code } = errorTable.internal;
      const failed = { kind: "internal", code, http_request_id: requestIdOf(response), cause: error };
      if (status === 500) emit("http_failed", failed);
      if (response.headersSent) response.destroy();
      else answerJson(response, status, write(errorFor(status, rpcPath), { request: response.req }));
    };
}

function errorFor(status: number, rpcPath: string | undefined): ZoneError {
  if (status === 500) return new ZoneError("internal");
  const message =
    rpcPath === undefined
      ? "this process doesn't serve JSON-RPC: EXECUTION_ROLES does not include rpc"
      : `JSON-RPC is served at POST ${rpcPath}`;
  return new ZoneError("invalid_request", { problems: [{ pointer: "", message }] });
}

/** 404 when no route matched, Express's own 4xx (a malformed URL), otherwise 500. */
function statusOf(error: unknown): number {
  if (error === undefined || error === null) return 404;
  const status = (error as { status?: unknown }).status;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}

/** Returns a function that answers HTTP that is invalid or too slow, and never became a request. */
export const createBadRequest =
  (emit: Emit<ExecutionEvent>) =>
  ({ status, code: parser, requestId }: BadRequest): BadRequestAnswer => {
    const kind = "invalid_request";
    const { code, title: message } = errorTable[kind];
    emit("http_refused", { status, kind, reason: `http_${status}`, code, parser, http_request_id: requestId });
    const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
    return { contentType: "application/json", body };
  };
