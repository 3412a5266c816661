import type { ObservedRecord } from "../inbox/inbox-work.ts";
import type { InboxRecord, LeasedRecord, NoticeRecord, StopRecord } from "../inbox/records.ts";
import type { ObservedQuestion, QuestionObserver } from "./questions/question-observer.ts";

/** Receives the events of the work on records. */
export interface AnsweringObserver {
  /** Returns the observer of one question. */
  readonly question: (record: ObservedQuestion) => QuestionObserver;
  /** Runs the work on a record in a span. Its parent is the span that received the event, maybe in another process. */
  readonly traceRecord: (record: ObservedRecord, work: () => Promise<void>) => Promise<void>;
  readonly stopRequested: (record: StopRecord, stopped: number) => void;
  /** Slack does not deliver a notice. */
  readonly noticeLost: (error: unknown, record: NoticeRecord) => void;
}

/** Processes a leased record of one kind. `lease` aborts when another process has the record. */
export type Flow<K extends InboxRecord["kind"]> = (leased: LeasedRecord<K>, lease: AbortSignal) => Promise<void>;
