import type { Emit } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { InboxRecord, LeasedRecord, StoredAnswer } from "./records.ts";

/** Reports an outage of the inbox once, not for each call that fails. */
export interface Outage {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
}

export function createOutage(emit: Emit<VerificationEvent>): Outage {
  let since: number | undefined;
  return {
    failed: (error) => {
      if (since !== undefined) return;
      since = performance.now();
      emit("inbox_failed", { failure: error });
    },
    worked: () => {
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
  readonly record: Pick<InboxRecord, "request_id" | "kind"> &
    Partial<Pick<InboxRecord, "correlation_id" | "traceparent">>;
  readonly attempt: number;
}

/** How a record ended, besides its outcome. */
export interface RecordEnd {
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
  { outcome, error: failure, waitMs, why }: RecordEnd & { readonly outcome: (typeof recordOutcomes)[number] },
): void {
  const { kind: kind_of_record, correlation_id, request_id, traceparent } = record;
  const ids = { correlation_id, request_id, traceparent, kind_of_record };
  const ended = {
    attempt,
    outcome,
    failure,
    wait_ms: waitMs,
    why: outcome === "given_up" ? "every attempt failed" : why,
  };
  emit(eventOf[outcome], { ...ids, ...ended, ...(outcome === "unanswerable" && { operation: "answer_question" }) });
}
