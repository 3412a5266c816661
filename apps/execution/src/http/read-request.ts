import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { isCorrelationId } from "@crosszone/contracts";
import { gatherBytes } from "@crosszone/service-kit";

/** The body was too large, or the client disconnected before its end. */
export type BodyFailure = "too_large" | "aborted";

/**
 * Reads a request's body into one buffer of at most `maxBytes`. Used instead of `express.json()`, which parses before
 * the protocol can answer and costs about as much as the whole dispatch.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | BodyFailure> {
  return new Promise((resolve) => {
    // The client may have disconnected earlier; no event would report it now.
    if (request.destroyed) return resolve("aborted");
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return resolve("too_large");
    const bytes = gatherBytes();
    request.on("data", (chunk: Buffer) => {
      if (bytes.add(chunk) <= maxBytes) return;
      request.pause();
      resolve("too_large");
    });
    request.on("end", () => resolve(bytes.whole()));
    // A disconnect is an `error` only for error listeners, but always closes the request.
    request.on("close", () => resolve("aborted"));
  });
}

/** A host name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const plainHost = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Returns the scheme, host and port that a request was sent to, such as `http://127.0.0.1:4000`. The host is the `Host` header if that is a
 * plain host; otherwise it is the address of the socket. Forwarded headers are not read: any client can set them.
 */
export function originOf({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string {
  const scheme = "encrypted" in socket ? "https" : "http";
  const { host = "" } = headers;
  const named = plainHost.test(host) ? URL.parse(`${scheme}://${host}`) : null;
  if (named !== null) return named.origin;
  const { localAddress = "127.0.0.1", localPort } = socket;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, "");
  return new URL(`${scheme}://${isIPv6(address) ? `[${address}]` : address}:${localPort}`).origin;
}

/**
 * Returns the correlation id of a request: from `x-correlation-id`, or, on a platform that strips unknown headers, from
 * the member `correlation_id` of W3C baggage. Without a valid one it returns the request id.
 * https://www.w3.org/TR/baggage/#header-content
 */
export function correlationOfRequest(
  { "x-correlation-id": own, baggage }: IncomingHttpHeaders,
  requestId: string,
): string {
  if (own !== undefined && isCorrelationId(own)) return own;
  const member = typeof baggage === "string" ? memberOf(baggage, "correlation_id") : undefined;
  return member !== undefined && isCorrelationId(member) ? member : requestId;
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
