import { createRoom, type Ending, type JobKind, type JobWorker } from "@crosszone/jobs";
import type { CompiledQuery } from "kysely";
import { type Emit, isKeyMissing } from "@crosszone/service-kit";
import { type Backoff, backoffMs, retry } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Inbox } from "./inbox.ts";
import {
  createOutage,
  type InboxWork,
  type Kind,
  LeaseLostError,
  type ObservedRecord,
  type RecordEnd,
  type RecordJob,
  ReleasedError,
  reportRecord,
  UnanswerableError,
  UnreadableRecordError,
  WithdrawnError,
} from "./record-ends.ts";
import type { InboxColumn } from "./record-rows.ts";
import type { LeasedRecord } from "./records.ts";

export interface RecordWorkDeps {
  readonly inbox: Inbox;
  readonly emit: Emit<VerificationEvent>;
  /** Returns what is stored with the end of a record. */
  readonly alsoStored?: ((record: ObservedRecord, end: RecordEnd) => readonly CompiledQuery[]) | undefined;
  /** Called with how the work on a record ended. */
  readonly onEnded?: ((record: ObservedRecord, end: RecordEnd) => void) | undefined;
  /** Pauses between attempts of one record (default: from a second to five minutes). */
  readonly backoff?: Backoff;
  /** Returns why a record is parked, without private data. */
  readonly reasonOf: (error: unknown) => string;
}

/**
 * Pauses before an unreadable record is retried. Each retry counts as an attempt, and the record is parked in the end. With the default
 * number of attempts that takes an hour or two, enough to fix a start with the wrong keys.
 */
const unreadableBackoff = { firstMs: 60_000, longestMs: 3_600_000 };

/** How the work on a record ends, and what becomes of its job. */
interface Outcome extends RecordEnd {
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

/** An unreadable record counts as a failed attempt, not as an outage: the inbox has responded. */
function endUnreadable(error: UnreadableRecordError): Outcome {
  const { tries, attempt } = error;
  if (tries === "more") return retried(unreadableBackoff, attempt, error);
  return parked("the record cannot be read: a key may be missing", error);
}

/** How this process works on records of one kind. */
function recordKind<K extends Kind>(
  deps: RecordWorkDeps,
  kind: K,
  of: InboxWork<K>,
): JobKind<InboxColumn, RecordJob<K>> {
  const { inbox, emit, onEnded } = deps;
  const observedOf = (job: RecordJob<K>): ObservedRecord =>
    job instanceof UnreadableRecordError ? { record: { request_id: job.id, kind }, attempt: job.attempt } : job;
  const report = (job: RecordJob<K>, end: RecordEnd): void => {
    reportRecord(emit, observedOf(job), end);
    onEnded?.(observedOf(job), end);
  };
  return {
    kind,
    ...createRoom(of.concurrency),
    read: (row) => inbox.read<K>(row),
    run: async (job, { signal }) => {
      const isUnreadable = job instanceof UnreadableRecordError;
      const { ending, ...how } = isUnreadable ? endUnreadable(job) : await workOn(deps, job, { ...of, signal });
      return { ...ending, also: deps.alsoStored?.(observedOf(job), how), stored: () => report(job, how) };
    },
    lost: (job, why) => {
      if (why !== "not_stored") report(job, { outcome: why === "stopping" ? "handed_back" : "lost" });
    },
  };
}

const usualBackoff = { firstMs: 1_000, longestMs: 300_000 };

/** Works on a record. Resolves with how it ends. */
async function workOn<K extends Kind>(
  { backoff = usualBackoff, reasonOf }: RecordWorkDeps,
  taken: LeasedRecord<K>,
  { handle, lastAnswer, signal }: InboxWork<K> & { readonly signal: AbortSignal },
): Promise<Outcome> {
  const { tries, attempt } = taken;
  const isSpent = tries === "spent" || tries === "over";
  const last = taken.progress.answer === undefined && tries !== "over" ? lastAnswer : undefined;
  if (isSpent && last === undefined) return parked("every attempt ended without a result");
  // Not stored: retrying a parked record processes the question again.
  const progress = isSpent && last ? { ...taken.progress, answer: last(taken.record) } : taken.progress;
  try {
    await handle({ ...taken, progress }, signal);
    return completed(isSpent ? "given_up" : "done");
  } catch (error) {
    if (isKeyMissing(error)) throw error;
    if (error instanceof LeaseLostError) return lost;
    if (error instanceof ReleasedError) {
      const { afterMs } = error;
      const outcome = afterMs === undefined ? "handed_back" : "waiting";
      return { outcome, ending: { release: { counted: false, afterMs } } };
    }
    if (error instanceof WithdrawnError) return completed("withdrawn");
    if (error instanceof UnanswerableError) return completed("unanswerable", error);
    if (isSpent || (tries === "last" && last === undefined)) return parked(reasonOf(error), error);
    return retried(backoff, attempt, error);
  }
}

export type InboxWorker = ReturnType<typeof createInboxWorker>;

/** Processes an inbox, together with other processes: oldest first, with limited concurrency, in order within a thread. */
export function createInboxWorker(
  options: RecordWorkDeps & {
    readonly work: { readonly [K in Kind]?: InboxWork<K> };
    /** How often to check for records that other processes accepted or released without a notification, milliseconds (default 1000). */
    readonly pollMs?: number;
  },
) {
  const { inbox, work, pollMs = 1_000, emit } = options;
  const outage = createOutage(emit);
  const failed = (_operation: string, cause: unknown): void => outage.failed(cause);
  const workers = (Object.keys(work) as Kind[]).map((name): JobWorker<RecordJob> => {
    const kind = recordKind<Kind>(options, name, work[name] as InboxWork<Kind>);
    return inbox.jobs.workOn(kind, failed, { emit, worked: outage.worked, idleMs: pollMs });
  });
  const stopping = new AbortController();
  let beginning: Promise<void> | undefined;

  async function begin(): Promise<void> {
    const { signal } = stopping;
    await retry(inbox.jobs.start, { firstMs: pollMs, longestMs: pollMs, signal, onRetry: outage.failed });
    for (const worker of workers) worker.start();
  }

  return {
    /** Begins this process's lease, then looks for work. Records that are accepted by the inbox from then on start here at once. */
    start: (): void => void (beginning ??= begin().catch(() => undefined)),
    running: (): number => workers.reduce((sum, worker) => sum + worker.running(), 0),
    /**
     * Leases no further records, and lets current work end within `graceMs` milliseconds. Releases the others: other processes can lease
     * them after `afterMs` milliseconds, because an operation in progress, such as a post, can still take effect and must be found.
     */
    stop: async (graceMs: number, afterMs: number): Promise<void> => {
      stopping.abort();
      await beginning;
      await Promise.all(workers.map((worker) => worker.stop(graceMs, afterMs)));
      await inbox.jobs.stop();
    },
  };
}
