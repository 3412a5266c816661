import type { IncomingMessage, Server } from "node:http";
import type { RequestHandler } from "express";

/** Listens on `host`; resolves with the URL on this machine, without a slash at the end. Rejects if the port is taken. */
export async function listen(server: Server, port: number, host = "127.0.0.1"): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, host }, resolve);
  await promise;
  server.off("error", reject);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

/**
 * Returns why a request is refused; undefined if it is allowed. The Host header must name this machine, so that a web page cannot reach the
 * server through its own host name (DNS rebinding). A request that changes something must not come from another origin (CSRF).
 */
export function refusal({ method = "GET", headers }: Pick<IncomingMessage, "method" | "headers">): string | undefined {
  const host = headers.host ?? "";
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host)) return "the Host header must be 127.0.0.1 or localhost";
  const isSafe = method === "GET" || method === "HEAD";
  if (!isSafe && headers.origin !== undefined && headers.origin !== `http://${host}`) {
    return "requests from other origins are refused";
  }
  return undefined;
}

/** What the page can load: only what it needs, and only from this server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Disables what the page never needs. No Strict-Transport-Security, because this machine's own address has no TLS. */
const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
};

/** Responds with 403 to requests from other machines, and adds the security headers to every response. */
export const localOnly: RequestHandler = (request, response, next) => {
  response.set(SECURITY_HEADERS);
  const reason = refusal(request);
  if (reason === undefined) next();
  else response.status(403).json({ error: { message: reason } });
};
