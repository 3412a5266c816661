/** Whether a host name or address stays on this machine. An IPv6 address with or without the brackets that a URL puts around it. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
