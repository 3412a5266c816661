import { createRoom, type End, type JobKind } from "@crosszone/jobs";
import type { Emit } from "@crosszone/service-kit";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { LeaseLostError, ReleasedError, UnanswerableError, UnreadableRecordError } from "./endings.ts";
import type { InboxColumn } from "./inbox-jobs.ts";
import {
  type InboxWork,
  type Kind,
  type ObservedRecord,
  type RecordEnd,
  type recordOutcomes,
  reportRecord,
} from "./inbox-work.ts";
import type { Inbox } from "./inbox.ts";
import { type RecordJob, recordJob } from "./record-rows.ts";
import type { LaneLease, TakenRecord } from "./records.ts";

export interface RecordWorkDeps {
  readonly inbox: Inbox;
  readonly emit: Emit<VerificationEvent>;
  /** Called with how the work on a record ended. */
  readonly onEnded?: ((record: ObservedRecord, end: RecordEnd & Pick<Ending, "outcome">) => void) | undefined;
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
  readonly details?: RecordEnd;
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

/** Another process has it: nothing is stored. */
const lost: Ending = { outcome: "lost", store: () => Promise.reject(new LeaseLostError()) };

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

/** How this process works on records of one kind. */
export function recordKind<K extends Kind>(
  deps: RecordWorkDeps,
  kind: K,
  how: InboxWork<K>,
): JobKind<InboxColumn, RecordJob<K>> {
  const { inbox, emit, onEnded } = deps;
  const observedOf = ({ leased }: RecordJob<K>): ObservedRecord =>
    leased instanceof UnreadableRecordError
      ? { record: { ...leased.lease.record, kind }, attempt: leased.lease.attempt }
      : leased;
  const report = (job: RecordJob<K>, end: RecordEnd & Pick<Ending, "outcome">): void => {
    reportRecord(emit, observedOf(job), end);
    onEnded?.(observedOf(job), end);
  };
  return {
    kind,
    ...createRoom(how.concurrency),
    read: (row) => recordJob(inbox.read<K>(row)),
    run: async (job, { signal }) => {
      const { leased } = job;
      const isUnreadable = leased instanceof UnreadableRecordError;
      const ending = isUnreadable ? endUnreadable(leased) : await work(deps, { ...how, taken: leased, lease: signal });
      const { outcome, details = {} } = ending;
      const store = storing(inbox, ending, isUnreadable ? leased.lease : leased);
      return { store, stored: () => report(job, { outcome, ...details }) };
    },
    lost: (job, why) => {
      if (why !== "not_stored") report(job, { outcome: why === "stopping" ? "handed_back" : "lost" });
    },
  };
}

/** Returns the function that stores an ending. It resolves with false when the record is lost. */
function storing(inbox: Inbox, { store }: Ending, lease: LaneLease): End["store"] {
  let attempts = 0;
  return async () => {
    attempts += 1;
    try {
      await store(inbox, lease);
      return true;
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      // No other process can have it yet, so an earlier attempt here succeeded and its response was lost.
      return attempts > 1 && !inbox.lease.isOver();
    }
  };
}

/** Works on a record. Resolves with how it ends. */
async function work<K extends Kind>(
  { backoff, reasonOf }: RecordWorkDeps,
  { handle, lastAnswer, taken, lease }: InboxWork<K> & { readonly taken: TakenRecord<K>; readonly lease: AbortSignal },
): Promise<Ending> {
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
    if (error instanceof LeaseLostError) return lost;
    if (error instanceof ReleasedError) return released(error);
    if (error instanceof UnanswerableError) return completed("unanswerable", error);
    if (isSpent || (triesLeft === 0 && last === undefined)) return parked(reasonOf(error), error);
    return retried(backoff, attempt, error);
  }
}
