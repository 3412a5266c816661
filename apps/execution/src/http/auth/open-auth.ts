import { type Authenticator, refused } from "./authenticator.ts";

/**
 * Accepts every request as the platform's caller. Only for a host that authenticates all requests and doesn't pass on
 * the credentials; anywhere else it lets everyone in.
 */
export function createPlatformAuth(platform: string): Authenticator {
  const accepted = { caller: platform };
  return { challenge: "Bearer", hint: "no credentials are required", authenticate: () => accepted };
}

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
