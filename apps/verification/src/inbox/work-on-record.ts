import { createRoom, type Ending, type JobKind } from "@crosszone/jobs";
import type { Emit } from "@crosszone/service-kit";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { LeaseLostError, ReleasedError, UnanswerableError, UnreadableRecordError, WithdrawnError } from "./endings.ts";
import { type InboxColumn, recordJob, type RecordJob } from "./record-rows.ts";
import {
  type InboxWork,
  type Kind,
  type ObservedRecord,
  type RecordEnd,
  type recordOutcomes,
  reportRecord,
} from "./inbox-work.ts";
import type { Inbox } from "./inbox.ts";
import type { TakenRecord } from "./records.ts";

export interface RecordWorkDeps {
  readonly inbox: Inbox;
  readonly emit: Emit<VerificationEvent>;
  /** Called with how the work on a record ended. */
  readonly onEnded?: ((record: ObservedRecord, end: Omit<Outcome, "ending">) => void) | undefined;
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

/** How the work on a record ends: the outcome, what becomes of its job, and what else is reported. */
interface Outcome extends RecordEnd {
  readonly outcome: (typeof recordOutcomes)[number];
  readonly ending: Ending<InboxColumn>;
}

const completed = (outcome: Outcome["outcome"], error?: unknown): Outcome => ({
  outcome,
  ending: { remove: outcome },
  error,
});

const parked = (why: string, error?: unknown): Outcome => ({
  outcome: "parked",
  ending: { park: { parked_because: why } },
  why,
  error,
});

function retried(pauses: Backoff, attempt: number, error: unknown): Outcome {
  const waitMs = Math.round(backoffMs(pauses, attempt));
  return { outcome: "retried", ending: { release: { counted: true, afterMs: waitMs } }, error, waitMs };
}

/** Another process has it: nothing is stored. */
const lost: Outcome = { outcome: "lost", ending: { outcome: "lost", store: async () => false } };

const released = ({ afterMs }: ReleasedError): Outcome => ({
  outcome: afterMs === undefined ? "handed_back" : "waiting",
  ending: { release: { counted: false, afterMs } },
});

/** An unreadable record counts as a failed attempt, not as an outage: the inbox has responded. */
function endUnreadable(error: UnreadableRecordError): Outcome {
  const { triesLeft, attempt } = error.lease;
  if (triesLeft > 0) return retried(unreadableBackoff, attempt, error);
  return parked("the record cannot be read: a key may be missing", error);
}

/** How this process works on records of one kind. */
export function recordKind<K extends Kind>(
  deps: RecordWorkDeps,
  kind: K,
  of: InboxWork<K>,
): JobKind<InboxColumn, RecordJob<K>> {
  const { inbox, emit, onEnded } = deps;
  const observedOf = ({ leased }: RecordJob<K>): ObservedRecord =>
    leased instanceof UnreadableRecordError
      ? { record: { ...leased.lease.record, kind }, attempt: leased.lease.attempt }
      : leased;
  const report = (job: RecordJob<K>, end: Omit<Outcome, "ending">): void => {
    reportRecord(emit, observedOf(job), end);
    onEnded?.(observedOf(job), end);
  };
  return {
    kind,
    ...createRoom(of.concurrency),
    read: (row) => recordJob(inbox.read<K>(row)),
    run: async (job, { signal }) => {
      const { leased } = job;
      const isUnreadable = leased instanceof UnreadableRecordError;
      const { ending, ...how } = isUnreadable ? endUnreadable(leased) : await work(deps, leased, { ...of, signal });
      return { ...ending, stored: () => report(job, how) };
    },
    lost: (job, why) => {
      if (why !== "not_stored") report(job, { outcome: why === "stopping" ? "handed_back" : "lost" });
    },
  };
}

/** Works on a record. Resolves with how it ends. */
async function work<K extends Kind>(
  { backoff, reasonOf }: RecordWorkDeps,
  taken: TakenRecord<K>,
  { handle, lastAnswer, signal }: InboxWork<K> & { readonly signal: AbortSignal },
): Promise<Outcome> {
  const { triesLeft, attempt } = taken;
  const isSpent = triesLeft < 0;
  const last = taken.progress.answer === undefined && triesLeft >= -1 ? lastAnswer : undefined;
  if (isSpent && last === undefined) return parked("every attempt ended without a result");
  // Not stored: retrying a parked record processes the question again.
  const progress = isSpent && last ? { ...taken.progress, answer: last(taken.record) } : taken.progress;
  try {
    await handle({ ...taken, progress }, signal);
    return completed(isSpent ? "given_up" : "done");
  } catch (error) {
    if (error instanceof LeaseLostError) return lost;
    if (error instanceof ReleasedError) return released(error);
    if (error instanceof WithdrawnError) return completed("withdrawn");
    if (error instanceof UnanswerableError) return completed("unanswerable", error);
    if (isSpent || (triesLeft === 0 && last === undefined)) return parked(reasonOf(error), error);
    return retried(backoff, attempt, error);
  }
}
