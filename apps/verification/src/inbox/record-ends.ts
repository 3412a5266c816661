import type { LeaseId } from "@crosszone/jobs";
import type { Emit } from "@crosszone/service-kit";
import { retry, TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { InboxRecord, LeasedRecord, StoredAnswer, Tries } from "./records.ts";

/** Reports an outage of the inbox once, not for each call that fails. */
export function createOutage(emit: Emit<VerificationEvent>) {
  let since: number | undefined;
  return {
    failed: (error: unknown): void => {
      if (since !== undefined) return;
      since = performance.now();
      emit("inbox_failed", { failure: error });
    },
    worked: (): void => {
      if (since !== undefined) emit("inbox_back", { duration_ms: performance.now() - since });
      since = undefined;
    },
  };
}

export type Kind = InboxRecord["kind"];

/** How to process the records of one kind. */
export interface InboxWork<K extends Kind> {
  /** Maximum number of records processed at the same time. */
  readonly concurrency: number;
  /**
   * Answers a record. `lease` aborts when another process has it, or may have it. Resolves when it is done. The rejections in `endings.ts`
   * define other endings; any other rejection is retried later.
   */
  readonly handle: (leased: LeasedRecord<K>, lease: AbortSignal) => Promise<void>;
  /**
   * Returns the answer for a record that failed too often; the record is processed once more with it. Without it, the record is parked and
   * its requester gets no answer.
   */
  readonly lastAnswer?: (record: Extract<InboxRecord, { kind: K }>) => StoredAnswer;
}

/** The outcomes of processing a leased record once. */
export const recordOutcomes = [
  "done",
  "given_up",
  "retried",
  "parked",
  "unanswerable",
  "withdrawn",
  "handed_back",
  "waiting",
  "lost",
] as const;

/** The known data of a leased record; complete unless it is unreadable. */
export interface ObservedRecord {
  readonly record: {
    readonly request_id: string;
    readonly kind: Kind;
    readonly correlation_id?: string;
    readonly traceparent?: string;
  };
  readonly attempt: number;
}

/** How a record ended. */
export interface RecordEnd {
  readonly outcome: (typeof recordOutcomes)[number];
  /** The rejection of the work, or its equivalent. */
  readonly error?: unknown;
  /** Set if the record is retried. */
  readonly waitMs?: number;
  readonly why?: string | undefined;
}

const eventOf: Readonly<Record<(typeof recordOutcomes)[number], VerificationEvent>> = {
  done: "question_done",
  waiting: "question_waits",
  retried: "question_retried",
  handed_back: "question_released",
  parked: "question_parked",
  given_up: "answer_lost",
  unanswerable: "answer_lost",
  withdrawn: "question_done",
  lost: "lease_lost",
};

/** Reports how the work on a leased record ended. */
export function reportRecord(
  emit: Emit<VerificationEvent>,
  { record, attempt }: ObservedRecord,
  { outcome, error: failure, waitMs, why }: RecordEnd,
): void {
  const { kind: kind_of_record, correlation_id, request_id, traceparent } = record;
  const ids = { correlation_id, request_id, traceparent, kind_of_record };
  emit(eventOf[outcome], {
    ...ids,
    attempt,
    outcome,
    failure,
    wait_ms: waitMs,
    why: outcome === "given_up" ? "every attempt failed" : why,
    operation: outcome === "unanswerable" ? "answer_question" : undefined,
  });
}

/** Thrown when another process has the record. The worker must stop, and post nothing. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Throws a `LeaseLostError` unless the record is leased to this process. */
export function mustBeLeased(isLeased: boolean): void {
  if (!isLeased) throw new LeaseLostError("the lease of the record was lost");
}

/** Thrown by a worker that must leave its record to the next process, for example during shutdown. The attempt does not count. */
export class ReleasedError extends Error {
  override readonly name = "HandBackError";
  /** The wait before the next attempt, for a record that waits for something; undefined for one that its process leaves, milliseconds. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** Thrown when a record can never be answered, for example in an archived channel; `cause` has the reason. */
export class UnanswerableError extends Error {
  override readonly name = "UnanswerableError";
}

/** Thrown when the question's author deleted it: its messages are deleted, and no answer is posted. */
export class WithdrawnError extends Error {
  override readonly name = "WithdrawnError";
}

/** The lease of a stored record that cannot be read, for example because its key is missing. */
export class UnreadableRecordError extends Error implements LeaseId {
  override readonly name = "UnreadableRecordError";
  readonly id: string;
  readonly attempt: number;
  readonly lane: string;
  readonly tries: Tries;

  constructor(lease: { id: string; attempt: number; lane: string; tries: Tries }, cause: unknown) {
    super("the stored record cannot be read", { cause });
    this.id = lease.id;
    this.attempt = lease.attempt;
    this.lane = lease.lane;
    this.tries = lease.tries;
  }
}

/** The job of a record. */
export type RecordJob<K extends Kind = Kind> = LeasedRecord<K> | UnreadableRecordError;

/** Thrown by `accept` when the inbox is full; Slack then sends the event again. */
export class InboxFullError extends Error {
  override readonly name = "InboxFullError";
}

/** Retries a call of the zone's database within the time that remains. */
export type StoreRetry = <Result>(call: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that retries a database call while it fails, for example after a lost connection, within `budgetMs` milliseconds from
 * now in total. The call must be safe to repeat. A full inbox and a timeout are not retried.
 */
export function createStoreRetry(budgetMs: number): StoreRetry {
  const until = performance.now() + budgetMs;
  const left = (): number => Math.max(0, until - performance.now());
  const isLast = (error: unknown): boolean => error instanceof InboxFullError || error instanceof TimeLimitError;
  return (call) =>
    retry(() => withTimeout(left(), call), {
      firstMs: 100,
      longestMs: 150,
      budgetMs: left(),
      retryAfter: (error) => (isLast(error) ? undefined : 0),
    });
}
