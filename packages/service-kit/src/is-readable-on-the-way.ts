import { isLoopback } from "./loopback.ts";

/** Returns true if data sent to a URL can be read on the network: no TLS, and not on this machine. */
export function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== "https:" && !isLoopback(hostname);
}
