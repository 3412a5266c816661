import { createHash } from "node:crypto";
import { type InboxRecord, type StopTarget, type TeamThread, waitingKinds } from "./records.ts";

/** Lookup keys are stored as digests, because external text can have any length and characters that an index rejects. */
function digestOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Records of one lane are processed one after the other: those of one kind in one thread. */
export function laneOf(kind: InboxRecord["kind"], { team_id, channel, thread_ts }: TeamThread): string {
  return digestOf("lane", kind, team_id, channel, thread_ts);
}

/** Returns the lane of a record. What waits for people has a lane of its own; the presses on one input request or answer share one. */
export function laneOfRecord(record: InboxRecord): string {
  const { kind, request_id } = record;
  if (kind === "press") return digestOf("lane", kind, record.press.id);
  return waitingKinds.some((waiting) => waiting === kind) ? digestOf("lane", kind, request_id) : laneOf(kind, record);
}

export function channelOf({ team_id, channel }: StopTarget): string {
  return digestOf("channel", team_id, channel);
}

export function threadOf({ team_id, channel, thread_ts }: TeamThread): string {
  return digestOf("thread", team_id, channel, thread_ts);
}

/**
 * Returns the context id of a thread whose first answer is that of this question: the same in every attempt. It reveals nothing of the thread,
 * because request ids are random. UUID.
 */
export function contextIdOf({ request_id }: Pick<InboxRecord, "request_id">): string {
  const hex = createHash("sha256").update(`context ${request_id}`).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}

export const claimOf = (claim: string): string => digestOf("claim", claim);

/**
 * Returns the claims of a record, in a global order that prevents deadlocks. A record without claims claims its own id, which then shows
 * that it was accepted.
 */
export function claimsOf({ claims, request_id }: InboxRecord): string[] {
  const digests = new Set(claims.map(claimOf));
  return digests.size > 0 ? [...digests].toSorted() : [digestOf("request", request_id)];
}
