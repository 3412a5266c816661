import { createHash } from "node:crypto";
import type { InboxRecord, StopTarget } from "./inbox.ts";
import type { TeamThread } from "./thread-store.ts";

/** What is looked up is kept as its digest: text from outside may be of any length, and hold what an index refuses. */
function digestOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Records of one lane are worked on one after the other: those of one kind in one thread. */
export function laneOf(kind: InboxRecord["kind"], { team_id, channel, thread_ts }: TeamThread): string {
  return digestOf("lane", kind, team_id, channel, thread_ts);
}

export function channelOf({ team_id, channel }: StopTarget): string {
  return digestOf("channel", team_id, channel);
}

export function threadOf({ team_id, channel, thread_ts }: TeamThread): string {
  return digestOf("thread", team_id, channel, thread_ts);
}

/**
 * The claims of a record, in an order that all who claim share, so that none waits for another in a circle. A record that claims
 * nothing claims itself: that it was accepted is known by its claims.
 */
export function claimsOf({ claims, request_id }: InboxRecord): string[] {
  const digests = new Set(claims.map((claim) => digestOf("claim", claim)));
  return digests.size > 0 ? [...digests].toSorted() : [digestOf("request", request_id)];
}
