import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorKind, ZoneError } from "@crosszone/contracts";
import { errorToJson } from "@crosszone/jsonrpc";
import { answer, requestIdOf } from "@crosszone/service-kit";
import { type Authenticator, type AuthRefusal, authRefusals } from "./auth/authenticator.ts";

/** Returns the JSON-RPC error, as text, for something that never became a request: `id` is null. */
export function refusalText(error: ZoneError, correlationId: string = randomUUID()): string {
  return JSON.stringify({ jsonrpc: "2.0", error: errorToJson(error, correlationId), id: null });
}

/** A request that HTTP refused before JSON-RPC saw it. */
export interface Refusal {
  readonly status: number;
  readonly kind: ErrorKind;
  readonly reason: RefusalReason;
  readonly correlationId: string;
  /** The HTTP request's id in logs. */
  readonly requestId: string;
  /** The error in this zone, when the caller is not at fault. */
  readonly cause?: unknown;
}

export type RefusalReason = AuthRefusal | keyof typeof rules;

/** HTTP refusals, with what tells the caller how to fix the request. */
const rules = {
  method_not_allowed: { status: 405, kind: "invalid_request", message: "send the request by POST" },
  content_type: {
    status: 415,
    kind: "invalid_request",
    message: "send application/json in UTF-8, not compressed",
  },
  too_large: { status: 413, kind: "payload_too_large", message: "the body is larger than this server accepts" },
  too_many: { status: 429, kind: "rate_limited", message: "this caller exceeded its request limit; wait a little" },
  auth_unavailable: {
    status: 503,
    kind: "agent_unavailable",
    message: "credentials can't be checked right now; try again",
  },
} as const satisfies Record<string, { status: number; kind: ErrorKind; message: string }>;

/** Every reason, for a metric. */
export const refusalReasons: readonly RefusalReason[] = [
  ...authRefusals,
  ...(Object.keys(rules) as (keyof typeof rules)[]),
];

/** Details of a refusal besides its reason. */
export interface RefusalDetail {
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
}

/** A request that is about to be refused. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly correlationId: string;
}

/** Answers with the reason's status and a JSON-RPC error that says what to do. Returns the refusal for the log. */
export function refuse(exchange: Exchange, reason: keyof typeof rules, detail: RefusalDetail = {}): Refusal {
  const { status, kind, message } = rules[reason];
  send(exchange, { status, kind, message, ...detail });
  return { status, kind, reason, ...idsOf(exchange) };
}

/** Answers 401. The caller learns whether credentials are missing or invalid; the log has the reason. */
export function refuseCaller(
  exchange: Exchange,
  reason: AuthRefusal,
  { challenge, hint }: Pick<Authenticator, "challenge" | "hint">,
): Refusal {
  const missing = reason === "credentials_missing";
  // https://www.rfc-editor.org/rfc/rfc6750#section-3
  const invalid = challenge === "Bearer" ? 'Bearer error="invalid_token"' : challenge;
  const message = missing ? hint : "the credentials are not valid";
  const headers = { "www-authenticate": missing ? challenge : invalid };
  send(exchange, { status: 401, kind: "unauthorized", message, headers });
  return { status: 401, kind: "unauthorized", reason, ...idsOf(exchange) };
}

function idsOf({ response, correlationId }: Exchange): Pick<Refusal, "correlationId" | "requestId"> {
  return { correlationId, requestId: requestIdOf(response) };
}

function send(
  { request, response, correlationId }: Exchange,
  { status, kind, message, headers = {}, retryAfterMs }: RefusalDetail & RefusalText,
): void {
  const all = {
    ...headers,
    ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
    // On a kept-alive connection, an unread body would be taken for the next request.
    ...(!request.complete && { connection: "close" }),
    "x-correlation-id": correlationId,
  };
  const data = {
    problems: [{ pointer: "", message }],
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  };
  const body = refusalText(new ZoneError(kind, data), correlationId);
  answer(response, status, { contentType: "application/json", body, headers: Object.entries(all).flat() });
}

interface RefusalText {
  readonly status: number;
  readonly kind: ErrorKind;
  readonly message: string;
}
