import { type JobRun, type DropReason, retryUntilStored } from "@crosszone/jobs";
import { type Backoff, backoffMs } from "@crosszone/sql";
import { LeaseLostError, ReleasedError, UnanswerableError, type UnreadableRecordError } from "./endings.ts";
import type { CallInbox, InboxObserver, InboxWork, Kind, ObservedRecord, recordOutcomes } from "./inbox-work.ts";
import type { Inbox } from "./inbox.ts";
import type { LaneLease, TakenRecord } from "./records.ts";

export interface RecordWorkDeps {
  readonly inbox: Inbox;
  readonly callInbox: CallInbox;
  readonly observer: Pick<InboxObserver, "ended">;
  /** Pauses between attempts of one record. */
  readonly backoff: Backoff;
  /** Returns why a record is parked, without private data. */
  readonly reasonOf: (error: unknown) => string;
}

/**
 * Pauses before an unreadable record is retried. Each retry counts as an attempt, and the record is parked in the end. With the default
 * number of attempts that takes an hour or two, enough to fix a start with the wrong keys.
 */
const unreadableBackoff = { firstMs: 60_000, longestMs: 3_600_000 };

type Details = Parameters<InboxObserver["ended"]>[2];

/** A leased record, or the error of one that cannot be read. */
export type Leased<K extends Kind> =
  | { readonly taken: TakenRecord<K>; readonly error?: never }
  | { readonly taken?: never; readonly error: UnreadableRecordError };

/** Records how the work on a leased record ended. */
interface Endings {
  readonly isEnding: () => boolean;
  /** Records the outcome, with retries, so that a short database outage does not cause a second answer. */
  readonly end: (outcome: RecordOutcome, write: () => Promise<void>, details?: Details) => Promise<void>;
  readonly retry: (waitMs: number, error: unknown) => Promise<void>;
  readonly park: (why: string, error?: unknown) => Promise<void>;
}

type RecordOutcome = (typeof recordOutcomes)[number];

/** Processes one leased record, and records the outcome in the inbox. */
export function workOnRecord<K extends Kind>(
  deps: RecordWorkDeps,
  leased: Leased<K>,
  how: InboxWork<K> & { readonly kind: K },
): JobRun {
  const { inbox, observer, backoff, reasonOf } = deps;
  const recordLease: LaneLease = leased.taken ?? leased.error.lease;
  const observed: ObservedRecord = leased.taken ?? {
    record: { ...recordLease.record, kind: how.kind },
    attempt: recordLease.attempt,
  };
  const [lease, abandoned] = [new AbortController(), new AbortController()];
  const left = Promise.withResolvers<void>();
  const { end, retry, park, isEnding } = createEndings(deps, { recordLease, observed, abandoned: abandoned.signal });

  async function work(taken: TakenRecord<K>): Promise<void> {
    const isSpent = taken.triesLeft < 0;
    const last = taken.progress.answer === undefined && taken.triesLeft >= -1 ? how.lastAnswer : undefined;
    try {
      if (isSpent && last === undefined) return await park("every attempt ended without a result");
      // Not stored: retrying a parked record processes the question again.
      const progress = isSpent && last ? { ...taken.progress, answer: last(taken.record) } : taken.progress;
      await how.handle({ ...taken, progress }, lease.signal);
      if (lease.signal.aborted) return;
      await end(isSpent ? "given_up" : "done", () => inbox.complete(recordLease));
    } catch (error) {
      if (lease.signal.aborted) return;
      if (error instanceof LeaseLostError) observer.ended(observed, "lost", {});
      else if (error instanceof ReleasedError) {
        const outcome = error.afterMs === undefined ? "handed_back" : "waiting";
        await end(outcome, () => inbox.release(recordLease, error.afterMs));
      } else if (error instanceof UnanswerableError)
        await end("unanswerable", () => inbox.complete(recordLease), { error });
      else if (isSpent || (taken.triesLeft === 0 && last === undefined)) await park(reasonOf(error), error);
      else await retry(Math.round(backoffMs(backoff, taken.attempt)), error);
    }
  }

  function drop(why: DropReason): void {
    if (why === "stopping") left.resolve();
    if (lease.signal.aborted) return;
    const isStopping = why === "stopping";
    lease.abort(isStopping ? new ReleasedError("the process ends") : new LeaseLostError("the lease has ended"));
    observer.ended(observed, isStopping ? "handed_back" : "lost", {});
  }

  const working = leased.taken === undefined ? retryOrPark(leased.error, { retry, park }) : work(leased.taken);
  return {
    id: recordLease.record.request_id,
    attempt: recordLease.attempt,
    drop,
    get isEnding() {
      return isEnding();
    },
    abandon: () => abandoned.abort(),
    // A process that stops does not wait for work that ignores its signal.
    ended: Promise.race([working, left.promise]),
  };
}

/** Retries an unreadable record. It counts as a failed attempt, not as an outage: the inbox has responded. */
async function retryOrPark(
  error: UnreadableRecordError,
  { retry, park }: Pick<Endings, "retry" | "park">,
): Promise<void> {
  const { triesLeft, attempt } = error.lease;
  if (triesLeft > 0) await retry(Math.round(backoffMs(unreadableBackoff, attempt)), error);
  else await park("the record cannot be read: a key may be missing", error);
}

function createEndings(
  { inbox, callInbox, observer }: RecordWorkDeps,
  { recordLease, observed, abandoned }: { recordLease: LaneLease; observed: ObservedRecord; abandoned: AbortSignal },
): Endings {
  let isEnding = false;

  async function end(outcome: RecordOutcome, write: () => Promise<void>, details: Details = {}): Promise<void> {
    isEnding = true;
    let attempts = 0;
    let isLost = false;
    const isWritten = await retryUntilStored({
      store: async () => {
        attempts += 1;
        await callInbox(write);
        return true;
      },
      onFailure: (error) => (isLost = error instanceof LeaseLostError),
      signal: abandoned,
    });
    // No other process can have it yet, so an earlier attempt here succeeded and its response was lost.
    const isDone = isWritten === true || (isLost && attempts > 1 && !inbox.isLeaseOver());
    if (isDone) observer.ended(observed, outcome, details);
    else if (isLost) observer.ended(observed, "lost", {});
  }

  return {
    isEnding: () => isEnding,
    end,
    retry: (waitMs, error) => end("retried", () => inbox.retryLater(recordLease, waitMs), { error, waitMs }),
    park: (why, error) => end("parked", () => inbox.park(recordLease, why), { why, error }),
  };
}
