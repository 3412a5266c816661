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

const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** Refuses what is not from this machine with 403, and puts the security headers on every answer. */
export const localOnly: RequestHandler = (request, response, next) => {
  response.set(SECURITY_HEADERS);
  const reason = refusal(request);
  if (reason === undefined) next();
  else response.status(403).json({ error: { message: reason } });
};
