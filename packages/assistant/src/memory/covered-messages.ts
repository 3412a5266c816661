import { hash } from "node:crypto";
import type { ThreadMessage } from "@crosszone/contracts";
import type { CoveredMessage, ThreadSummary } from "./thread-memory.ts";

/** A message with a timestamp, which identifies it within its thread. */
export type DatedMessage = ThreadMessage & { readonly ts: string };

/** The most messages, besides the thread's first, whose digests are stored. Verification sends no more. */
const mostCovered = 200;

/**
 * Returns whether every message has a timestamp and they are in order. Otherwise a summary can't be matched to a
 * thread.
 */
export function isDated(thread: readonly ThreadMessage[]): thread is readonly DatedMessage[] {
  const times = thread.map(({ ts }) => Number(ts ?? Number.NaN));
  return times.every((time, index) => time > (times[index - 1] ?? 0));
}

/** Returns the timestamp of the last message that a summary covers; 0 without a summary. */
export function coveredUntil(summary: ThreadSummary | undefined): number {
  return Number(summary?.covered.at(-1)?.ts ?? 0);
}

/**
 * Returns a note to follow a summary when none of the newest messages is covered: messages in between may never have
 * been sent.
 */
export function gapAfter(summary: ThreadSummary, thread: readonly ThreadMessage[]): string {
  const last = coveredUntil(summary);
  const isNext = thread.slice(1).some(({ ts }) => Number(ts) <= last);
  return isNext ? "" : "\n\n(Messages between this summary and what follows may be missing.)";
}

/** Adds messages to those that a summary covers. */
export function cover(earlier: readonly CoveredMessage[], messages: readonly DatedMessage[]): CoveredMessage[] {
  const [first, ...others] = [
    ...earlier,
    ...messages.map((message) => ({ ts: message.ts, digest: digestOf(message) })),
  ];
  return first === undefined ? [] : [first, ...others.slice(-mostCovered)];
}

/**
 * Judges whether a summary still fits its thread, of which only the first and the newest messages were sent. `void`: a
 * covered message was edited, deleted or moved. `unknown`: the newest covered messages were not sent.
 */
export function judgeSummary(summary: ThreadSummary, thread: readonly DatedMessage[]): "holds" | "void" | "unknown" {
  const last = coveredUntil(summary);
  const [first, second = first] = thread;
  if (first === undefined || second === undefined || Number(thread.at(-1)?.ts) < last) return "unknown";
  const sent = new Map(thread.map((message) => [message.ts, digestOf(message)]));
  const { covered } = summary;
  const isSent = ({ ts }: CoveredMessage): boolean => ts === first.ts || Number(ts) >= Number(second.ts);
  const isChanged = covered.some((message) => isSent(message) && sent.get(message.ts) !== message.digest);
  const known = new Set(covered.map(({ ts }) => ts));
  const oldest = Number(covered[1]?.ts ?? covered[0]?.ts);
  const isMoved = thread.some(({ ts }) => Number(ts) >= oldest && Number(ts) <= last && !known.has(ts));
  return isChanged || isMoved ? "void" : "holds";
}

function digestOf({ text, user, bot }: ThreadMessage): string {
  return hash("sha256", JSON.stringify([bot === true, user ?? null, text]), "base64url").slice(0, 22);
}
