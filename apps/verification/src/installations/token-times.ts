import type { Grant } from "./installation-store.ts";

/** A token is renewed so long before it ends: Slack may be away for a while. */
const earlyMs = 2 * 3_600_000;

/** When a token of this lifetime ends, and when it is to be renewed: two hours before, or at half its time when it is a short one. Milliseconds. */
export function tokenTimes(now: number, lifetimeMs: number): Required<Pick<Grant, "expires_at" | "renew_at">> {
  return { expires_at: now + lifetimeMs, renew_at: now + Math.max(lifetimeMs - earlyMs, lifetimeMs / 2) };
}
