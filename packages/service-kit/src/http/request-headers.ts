import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

/** The contract's form of correlation ids: one line of printable ASCII without spaces, so that an id can't forge a log line. */
const validId = /^[\x21-\x7e]{1,128}$/;

const id: unique symbol = Symbol("request id");

/**
 * Returns the id of a request in logs: a valid `x-request-id` header, otherwise a new UUID. Always the same for one response. Stored on the
 * response itself, because `setHeader` would cost more than all other headers together.
 */
export function requestIdOf(response: ServerResponse & { [id]?: string }): string {
  return (response[id] ??= idIn(response.req.headers["x-request-id"]) ?? randomUUID());
}

const idIn = (value: unknown): string | undefined =>
  typeof value === "string" && validId.test(value) ? value : undefined;

/**
 * Returns the correlation id of a request: from `x-correlation-id`, or, on a platform that strips unknown headers, from the member
 * `correlation_id` of W3C baggage. Without a valid one it returns the request id. https://www.w3.org/TR/baggage/#header-content
 */
export function correlationOfRequest(
  { "x-correlation-id": own, baggage }: IncomingHttpHeaders,
  requestId: string,
): string {
  return idIn(own) ?? idIn(typeof baggage === "string" && memberOf(baggage, "correlation_id")) ?? requestId;
}

function memberOf(baggage: string, key: string): string | undefined {
  for (const member of baggage.split(",")) {
    // Properties of the member follow a semicolon.
    const [pair = ""] = member.split(";", 1);
    const end = pair.indexOf("=");
    if (end > 0 && pair.slice(0, end).trim() === key) return decoded(pair.slice(end + 1).trim());
  }
  return undefined;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Returns the token of an `authorization` header (RFC 6750 §2.1); undefined if it has none. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  // The common spelling needs no regular expression.
  if (authorization.startsWith("Bearer ") && authorization.indexOf(" ", 7) === -1)
    return authorization.length > 7 ? authorization.slice(7) : undefined;
  return /^Bearer (\S+)$/i.exec(authorization)?.[1];
}

/** A refused request, and what its answer says besides the reason. */
export interface RefusedRequest {
  readonly request: Pick<IncomingMessage, "complete">;
  readonly correlationId: string;
  readonly retryAfterMs?: number;
}

/** Returns the headers of a refusal. Closes the connection if the body is unread: it would be parsed as the next request. */
export function refusalHeaders({ request, correlationId, retryAfterMs }: RefusedRequest): Record<string, string> {
  return {
    ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
    ...(!request.complete && { connection: "close" }),
    "x-correlation-id": correlationId,
  };
}
