import type { IncomingMessage } from "node:http";
import { isIP, SocketAddress } from "node:net";
import proxyAddr from "proxy-addr";
import { z } from "zod";

/** Where a request comes from. Data of a stranger: it grants nothing. */
export interface Sender {
  /** The IP address: IPv4 as four numbers, also where the socket is IPv6. `unknown` if the client has disconnected. */
  readonly address: string;
  /** The start of the `user-agent` header, in printable ASCII; other characters are escaped. `none` without the header. */
  readonly client: string;
}

const trusted: unique symbol = Symbol("trusted proxies");
type Addressed = Pick<IncomingMessage, "headers" | "socket"> & { [trusted]?: ReturnType<typeof proxyAddr.compile> };

/** Returns a function that marks the requests of a server whose proxies are trusted. Throws for a text that is no address or subnet. */
export function createTrustProxies(proxies: readonly string[]): (request: IncomingMessage) => void {
  if (proxies.length === 0) return () => undefined;
  const isTrusted = proxyAddr.compile([...proxies]);
  return (request: Addressed) => void (request[trusted] = isTrusted);
}

/** An address or subnet of a proxy, as `createTrustProxies` reads it. */
export function proxyAddress(): z.ZodType<string, string> {
  const compiles = (proxy: string): boolean => {
    try {
      return proxyAddr.compile([proxy]) !== undefined;
    } catch {
      return false;
    }
  };
  return z
    .string()
    .refine(compiles, { error: "it is not an IP address or subnet" })
    .describe("an IP address, a subnet such as 10.0.0.0/8, or loopback, linklocal or uniquelocal");
}

const mostOfClient = 200;

/**
 * Returns the sender of a request. `X-Forwarded-For` is read from its end, and each hop is believed only if a trusted proxy names it. So the
 * address is the last one that no trusted proxy has.
 */
export function senderOf(request: Addressed): Sender {
  const { [trusted]: isTrusted, headers, socket } = request;
  const { remoteAddress = "" } = socket;
  const hops = isTrusted === undefined ? [remoteAddress] : proxyAddr.all(request as IncomingMessage, isTrusted);
  // What a proxy could not name is no address; then the proxy is the sender.
  const address = hops.map(plainAddress).findLast((hop) => hop !== undefined) ?? "unknown";
  const escaped = headers["user-agent"]?.replaceAll(/[^\x20-\x7e]|\\/g, escapeOf).slice(0, mostOfClient);
  return { address, client: escaped?.trim() || "none" };
}

const escapeOf = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Some proxies add the port. The zone of a link-local address names an interface of this machine. */
function plainAddress(hop = ""): string | undefined {
  const address = hop.replace(/^\[(.+)\](:\d+)?$|^([\d.]+):\d+$|%.*$/, "$1$3");
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  return new SocketAddress({ address, family: "ipv6" }).address.replace(/^::ffff:(?=\d+\.)/, "");
}
