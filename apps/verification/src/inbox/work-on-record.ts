import { backoffMs, type Backoff } from "../tasks/retry.ts";
import { HandBackError, LeaseLostError, UnanswerableError } from "./endings.ts";
import type { InboxWatch, InboxWork, Kind, recordOutcomes } from "./inbox-work.ts";
import type { Inbox, TakenEntry } from "./inbox.ts";
import type { Lease } from "./leases.ts";
import type { Reach } from "./reach.ts";
import { settle } from "./settle.ts";

export interface RecordWorkDeps {
  readonly inbox: Inbox;
  readonly reach: Reach;
  readonly watch: Pick<InboxWatch, "ended">;
  /** Pauses between attempts of one record. */
  readonly backoff: Backoff;
  /** Returns why a record is parked, without private data. */
  readonly reasonOf: (error: unknown) => string;
}

/** Processes one leased record, and records the outcome in the inbox. Never rejects. */
export async function workOnRecord<K extends Kind>(
  { inbox, reach, watch, backoff, reasonOf }: RecordWorkDeps,
  { entry, lease }: { readonly entry: TakenEntry<K>; readonly lease: Lease },
  how: InboxWork<K>,
): Promise<void> {
  const isSpent = entry.triesLeft < 0;
  const last = entry.progress.answer === undefined && entry.triesLeft >= -1 ? how.lastAnswer : undefined;
  try {
    if (isSpent && last === undefined) return await park("every attempt ended without a result");
    // Not stored: retrying a parked record processes the question again.
    const progress = isSpent && last ? { ...entry.progress, answer: last(entry.record) } : entry.progress;
    await how.handle({ ...entry, progress }, lease.signal);
    await settleAs(isSpent ? "given_up" : "done", () => inbox.complete(entry));
  } catch (error) {
    if (lease.signal.aborted) return;
    if (error instanceof LeaseLostError) lease.lose();
    else if (error instanceof HandBackError) await settleAs("handed_back", () => inbox.handBack(entry));
    else if (error instanceof UnanswerableError) await settleAs("unanswerable", () => inbox.complete(entry), { error });
    else if (isSpent || (entry.triesLeft === 0 && last === undefined)) await park(reasonOf(error), error);
    else {
      const waitMs = Math.round(backoffMs(entry.attempt, backoff));
      await settleAs("retried", () => inbox.retryLater(entry, waitMs), { error, waitMs });
    }
  } finally {
    lease.release();
  }

  async function park(why: string, error?: unknown): Promise<void> {
    await settleAs("parked", () => inbox.park(entry, why), { why, error });
  }

  async function settleAs(
    outcome: (typeof recordOutcomes)[number],
    tell: () => Promise<void>,
    details: Parameters<InboxWatch["ended"]>[2] = {},
  ): Promise<void> {
    if (await settle(() => reach(tell), lease)) watch.ended(entry, outcome, details);
  }
}
