import type { Authenticator } from "./authenticator.ts";

/**
 * Accepts every request as the platform's caller. Only for a host that authenticates all requests and doesn't pass on
 * the credentials; anywhere else it lets everyone in.
 */
export function createPlatformAuth(platform: string): Authenticator {
  const accepted = { caller: platform };
  return { challenge: "Bearer", hint: "no credentials are required", authenticate: () => accepted };
}
