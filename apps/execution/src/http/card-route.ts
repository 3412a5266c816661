import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { answer, requestIdOf } from "@crosszone/service-kit";
import type { DescribeZone } from "../methods/describe-zone.ts";

/** Where A2A clients look for the card of a host. https://a2a-protocol.org/v1.0.0/specification/#82-discovery-mechanisms */
export const agentCardPath = "/.well-known/agent-card.json";

/**
 * Serves `GET /.well-known/agent-card.json`, the agent card, without authentication. Shared caches may store it only if
 * its URL is configured. Otherwise the URL comes from the request, and one client could choose what others read.
 * https://a2a-protocol.org/v1.0.0/specification/#86-caching
 */
export function createCardRoute(describeZone: DescribeZone, hasConfiguredUrl: boolean) {
  const caching = `${hasConfiguredUrl ? "public" : "private"}, max-age=3600`;

  return (request: IncomingMessage, response: ServerResponse): void => {
    const body = JSON.stringify(describeZone(originOf(request)));
    const etag = `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
    const headers = ["etag", etag];
    if (isKnown(request.headers["if-none-match"], etag))
      response.writeHead(304, [...headers, "cache-control", caching, "x-request-id", requestIdOf(response)]).end();
    else answer(response, 200, { contentType: "application/json", body, headers, caching });
  };
}

/** Whether the client already has this version. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return known.includes(etag) || known.includes("*");
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
