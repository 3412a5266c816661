/** Returns true if data sent to a URL can be read on the network: no TLS, and not on this machine. */
export function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== "https:" && !isLoopback(hostname);
}

/** Returns true if a host name or address is this machine. An IPv6 address can have brackets, as in a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
