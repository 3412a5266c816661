import { refused, type Authenticator } from "./authenticator.ts";

/**
 * Accepts every program as the caller `local`. The configuration allows this on loopback only. A web page could reach
 * loopback by DNS rebinding, so requests with an `origin`, which only browsers send, are refused.
 * https://fetch.spec.whatwg.org/#origin-header
 */
export function createOpenAuth(): Authenticator {
  const local = { caller: "local" };
  return {
    challenge: "Bearer",
    hint: "no credentials are required",
    authenticate: ({ headers }) => (headers.origin === undefined ? local : refused("caller_not_allowed")),
  };
}
