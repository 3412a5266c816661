import { isLoopback } from "./loopback.ts";

/** Whether what is sent to a URL can be read on the way: anything but TLS, unless it stays on this machine. */
export function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== "https:" && !isLoopback(hostname);
}
