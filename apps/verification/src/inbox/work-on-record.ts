import { type JobRun, type DropReason, retryUntilStored } from "@crosszone/jobs";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import { LeaseLostError, ReleasedError, UnanswerableError, UnreadableRecordError } from "./endings.ts";
import type { InboxObserver, InboxWork, Kind, ObservedRecord, Outage, recordOutcomes } from "./inbox-work.ts";
import type { Inbox } from "./inbox.ts";
import type { LaneLease, TakenRecord } from "./records.ts";

interface RecordWorkDeps {
  readonly inbox: Inbox;
  readonly outage: Outage;
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

/** How the work on a record ends: the outcome, how it is stored, and what else is reported. */
interface Ending {
  readonly outcome: (typeof recordOutcomes)[number];
  readonly store: (inbox: Inbox, lease: LaneLease) => Promise<void>;
  readonly details?: Parameters<InboxObserver["ended"]>[2];
}

const completed = (outcome: Ending["outcome"], error?: unknown): Ending => ({
  outcome,
  store: (inbox, lease) => inbox.complete(lease),
  details: { error },
});

const parked = (why: string, error?: unknown): Ending => ({
  outcome: "parked",
  store: (inbox, lease) => inbox.park(lease, why),
  details: { why, error },
});

function retried(pauses: Backoff, attempt: number, error: unknown): Ending {
  const waitMs = Math.round(backoffMs(pauses, attempt));
  return { outcome: "retried", store: (inbox, lease) => inbox.retryLater(lease, waitMs), details: { error, waitMs } };
}

const released = ({ afterMs }: ReleasedError): Ending => ({
  outcome: afterMs === undefined ? "handed_back" : "waiting",
  store: (inbox, lease) => inbox.release(lease, afterMs),
});

/** An unreadable record counts as a failed attempt, not as an outage: the inbox has responded. */
function endUnreadable(error: UnreadableRecordError): Ending {
  const { triesLeft, attempt } = error.lease;
  if (triesLeft > 0) return retried(unreadableBackoff, attempt, error);
  return parked("the record cannot be read: a key may be missing", error);
}

/** Processes one leased record, and records the outcome in the inbox. */
export function workOnRecord<K extends Kind>(
  deps: RecordWorkDeps,
  leased: TakenRecord<K> | UnreadableRecordError,
  how: InboxWork<K> & { readonly kind: K },
): JobRun {
  const { inbox, observer, outage } = deps;
  const isUnreadable = leased instanceof UnreadableRecordError;
  const recordLease: LaneLease = isUnreadable ? leased.lease : leased;
  const { record, attempt } = recordLease;
  const observed: ObservedRecord = isUnreadable ? { record: { ...record, kind: how.kind }, attempt } : leased;
  const [lease, abandoned] = [new AbortController(), new AbortController()];
  const left = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    const ending = isUnreadable
      ? endUnreadable(leased)
      : await work(deps, { ...how, taken: leased, lease: lease.signal });
    if (lease.signal.aborted) return;
    if (ending === undefined) return observer.ended(observed, "lost", {});
    own.isEnding = true;
    await end(ending);
  }

  /** Records the outcome, with retries, so that a short database outage does not cause a second answer. */
  async function end({ outcome, store, details = {} }: Ending): Promise<void> {
    let attempts = 0;
    let isLost = false;
    const isStored = await retryUntilStored({
      store: async () => {
        attempts += 1;
        await store(inbox, recordLease);
        return true;
      },
      onFailure: (error) => {
        isLost = error instanceof LeaseLostError;
        if (!isLost) outage.failed(error);
        return isLost;
      },
      signal: abandoned.signal,
    });
    // No other process can have it yet, so an earlier attempt here succeeded and its response was lost.
    const isDone = isStored === true || (isLost && attempts > 1 && !inbox.isLeaseOver());
    if (isDone) observer.ended(observed, outcome, details);
    else if (isLost) observer.ended(observed, "lost", {});
  }

  function drop(why: DropReason): void {
    if (why === "stopping") left.resolve();
    if (lease.signal.aborted) return;
    const isStopping = why === "stopping";
    lease.abort(isStopping ? new ReleasedError("the process ends") : new LeaseLostError("the lease has ended"));
    observer.ended(observed, isStopping ? "handed_back" : "lost", {});
  }

  const own = {
    id: record.request_id,
    attempt,
    drop,
    isEnding: false,
    abandon: () => abandoned.abort(),
    ended: Promise.resolve(),
  };
  // A process that stops does not wait for work that ignores its signal.
  own.ended = Promise.race([run(), left.promise]);
  return own;
}

/** Works on a record. Resolves with how it ends; undefined if its lease was lost. */
async function work<K extends Kind>(
  { backoff, reasonOf }: RecordWorkDeps,
  { handle, lastAnswer, taken, lease }: InboxWork<K> & { readonly taken: TakenRecord<K>; readonly lease: AbortSignal },
): Promise<Ending | undefined> {
  const { triesLeft, attempt } = taken;
  const isSpent = triesLeft < 0;
  const last = taken.progress.answer === undefined && triesLeft >= -1 ? lastAnswer : undefined;
  if (isSpent && last === undefined) return parked("every attempt ended without a result");
  // Not stored: retrying a parked record processes the question again.
  const progress = isSpent && last ? { ...taken.progress, answer: last(taken.record) } : taken.progress;
  try {
    await handle({ ...taken, progress }, lease);
    return completed(isSpent ? "given_up" : "done");
  } catch (error) {
    if (error instanceof LeaseLostError) return undefined;
    if (error instanceof ReleasedError) return released(error);
    if (error instanceof UnanswerableError) return completed("unanswerable", error);
    if (isSpent || (triesLeft === 0 && last === undefined)) return parked(reasonOf(error), error);
    return retried(backoff, attempt, error);
  }
}
