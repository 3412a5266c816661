import type { Grant } from "./installation-store.ts";

/** How long before its expiry a token is renewed, to bridge a Slack outage. */
const earlyMs = 2 * 3_600_000;

/** Returns when a token with this lifetime expires and when to renew it: two hours before, or at half of a short lifetime. Milliseconds. */
export function tokenTimes(now: number, lifetimeMs: number): Required<Pick<Grant, "expires_at" | "renew_at">> {
  return { expires_at: now + lifetimeMs, renew_at: now + Math.max(lifetimeMs - earlyMs, lifetimeMs / 2) };
}
