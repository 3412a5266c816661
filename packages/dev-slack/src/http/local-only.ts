import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";

/**
 * Why a request is not served, or undefined when it is fine. The Host header must name this machine, so that a web page cannot
 * reach the server under a name of its own (DNS rebinding); a request that changes something must not come from another origin (CSRF).
 */
export function refusal({ method = "GET", headers }: Pick<IncomingMessage, "method" | "headers">): string | undefined {
  const host = headers.host ?? "";
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host)) return "the Host header must be 127.0.0.1 or localhost";
  const isSafe = method === "GET" || method === "HEAD";
  if (!isSafe && headers.origin !== undefined && headers.origin !== `http://${host}`) {
    return "requests of other origins are refused";
  }
  return undefined;
}

/** What the page may load, and from where: only what it needs, and only from here. */
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

/** None for what the page never needs; no Strict-Transport-Security, because there is no TLS on this machine's own address. */
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

/** Refuses what is not from this machine with 403, and puts the security headers on every answer. */
export const localOnly: RequestHandler = (request, response, next) => {
  response.set(SECURITY_HEADERS);
  const reason = refusal(request);
  if (reason === undefined) next();
  else response.status(403).json({ error: { message: reason } });
};
