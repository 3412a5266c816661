import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

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
