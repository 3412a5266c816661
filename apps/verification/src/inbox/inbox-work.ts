import type { InboxEntry, InboxRecord, KeptAnswer } from "./inbox.ts";
import type { ReachWatch } from "./reach.ts";

export type Kind = InboxRecord["kind"];

/** How the records of one kind are worked on. */
export interface InboxWork<K extends Kind> {
  /** How many at the same time. */
  readonly concurrency: number;
  /**
   * Answers a record. `lease` aborts when somebody else has it, or may have. Resolves when it is done; a rejection says how it ends
   * otherwise: see `endings.ts`; after any other, it is tried again later.
   */
  readonly handle: (entry: InboxEntry<K>, lease: AbortSignal) => Promise<void>;
  /**
   * What is said when a record was tried as often as it may be, for want of any other answer: it is handled once more with this as its
   * answer. Without it the record is parked then, and whoever waits for it waits on.
   */
  readonly lastAnswer?: (record: Extract<InboxRecord, { kind: K }>) => KeptAnswer;
}

/** What came of one taking of a record. */
export const recordOutcomes = ["done", "given_up", "retried", "parked", "unanswerable", "handed_back", "lost"] as const;

/** What is told of a record that was taken: of one that cannot be read, no more than this is known. */
export interface WatchedRecord {
  readonly record: Pick<InboxRecord, "request_id" | "kind"> &
    Partial<Pick<InboxRecord, "correlation_id" | "traceparent">>;
  readonly attempt: number;
}

export interface InboxWatch extends ReachWatch {
  /** `error` is what the work rejected with, or why there was none; `waitMs` when it is tried again. */
  readonly ended: (
    entry: WatchedRecord,
    outcome: (typeof recordOutcomes)[number],
    details: { readonly error?: unknown; readonly waitMs?: number; readonly why?: string },
  ) => void;
}
