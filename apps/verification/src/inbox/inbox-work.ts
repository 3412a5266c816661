import type { InboxRecord, LeasedRecord, StoredAnswer } from "./records.ts";

/** Receives the outages of the inbox, as this process sees them. */
interface OutageObserver {
  /** Called once when the inbox becomes unavailable. */
  readonly unavailable: (error: unknown) => void;
  /** Called once when it is available again, after `outageMs` milliseconds. */
  readonly available: (outageMs: number) => void;
}

/** Reports an outage of the inbox once, not for each call that fails. */
export interface Outage {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
}

export function createOutage({ unavailable, available }: OutageObserver): Outage {
  let since: number | undefined;
  return {
    failed: (error) => {
      if (since !== undefined) return;
      since = performance.now();
      unavailable(error);
    },
    worked: () => {
      if (since !== undefined) available(Math.round(performance.now() - since));
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

/** Runs work in a span. Its parent is the span that received the event or the command, maybe in another process. */
export type TraceWork = <Result>(
  record: Omit<ObservedRecord["record"], "kind"> & { readonly kind: string },
  work: () => Promise<Result>,
  attempt?: number,
) => Promise<Result>;

export interface InboxObserver extends OutageObserver {
  /** `error` is the rejection of the work, or its equivalent; `waitMs` is set if the record is retried. */
  readonly ended: (
    record: ObservedRecord,
    outcome: (typeof recordOutcomes)[number],
    details: { readonly error?: unknown; readonly waitMs?: number; readonly why?: string },
  ) => void;
}
