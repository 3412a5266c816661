import type { TaskFile } from "@crosszone/contracts";
import type { JobStore, TakenJob } from "@crosszone/jobs";
import type { SlackFile, SlackThread, WorkspaceId } from "../slack/slack-api.ts";
import type { InboxColumn } from "./inbox-jobs.ts";
import type { InboxLoad } from "./read-load.ts";
import type { AnsweredThread, Standing, TeamThread, ThreadQueue } from "./thread-store.ts";

/** The common part of all records. */
export interface RecordHead extends SlackThread, WorkspaceId {
  /** Created once, here: the JSON-RPC id of the task, so that sending it again never starts a second run. UUID. */
  readonly request_id: string;
  /** Identifies the message in both zones. UUID. */
  readonly correlation_id: string;
  /** The span that received the message; later work continues its trace. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
  /** Keys that no other record can claim: the event's id and the message itself. */
  readonly claims: readonly string[];
  readonly user_id: string;
  /** The teams in the event's envelope; empty if it names none. */
  readonly teams: readonly string[];
  /** The author's home teams in the event. */
  readonly author_teams: readonly string[];
  /** True if it happened in a thread; otherwise the thread starts with the first reply. */
  readonly in_thread: boolean;
  /** Unix milliseconds. */
  readonly received_at: number;
}

/** A question. */
export interface Question extends RecordHead {
  readonly kind: "ask";
  /** Slack's timestamp of the message; equal to `thread_ts` unless it is a reply. */
  readonly ts: string;
  /** The text as typed, without the mention of the bot. */
  readonly text: string;
  readonly files: readonly SlackFile[];
  /** True if the files must be looked up, because Slack sometimes omits them from `app_mention`. */
  readonly files_unknown: boolean;
}

/** A request to stop running tasks. */
export interface StopRecord extends RecordHead {
  readonly kind: "stop";
  /** True if it applies to the whole conversation, as for a `stop` that is not a reply. */
  readonly whole_channel: boolean;
  /** True if a person wrote it and expects a reply even if nothing was running. */
  readonly written: boolean;
}

/** A message that arrived when too many were waiting in its thread. It is not answered; its author is notified. */
export interface TurnedAwayRecord extends RecordHead {
  readonly kind: "turned_away";
}

/** A notice about a record that is already done, so that nothing waits behind it. Created by the zone itself. */
export interface NoticeRecord extends RecordHead {
  readonly kind: "notice";
  readonly text: string;
  /** Posted to the whole thread, or ephemerally to its person. */
  readonly to: "thread" | "person";
}

export type InboxRecord = Question | StopRecord | TurnedAwayRecord | NoticeRecord;

/** An answer that is stored before it is posted, so that a later worker posts the same one. */
export interface StoredAnswer {
  /** The state in the mark of its messages. */
  readonly state: "done" | "failed" | "stopped";
  /** Markdown messages, in order. */
  readonly parts: readonly string[];
  /** The whole answer if it is too long for messages, and the notes for the first part if the file is attached or not. */
  readonly file?: { readonly content: string; readonly attached: string; readonly notAttached: string };
  /** Files of the answer, stored in execution. */
  readonly files?: AnswerFiles;
}

/** Files that an agent created for an answer. */
export interface AnswerFiles {
  /** The files' task. */
  readonly taskId: string;
  readonly files: readonly TaskFile[];
}

/** The progress of a record, stored at each step; the next worker starts from it. */
export interface Progress {
  /** Timestamp of the progress message. */
  readonly placeholder?: string;
  /** The answer that is being delivered. */
  readonly answer?: StoredAnswer;
  /** True if the answer's file is in the thread. */
  readonly attached?: boolean;
}

/** A record leased by a worker. */
export interface LeasedRecord<K extends InboxRecord["kind"] = InboxRecord["kind"]> {
  readonly record: Extract<InboxRecord, { kind: K }>;
  /** The number of this lease, from 1. Above 1, an earlier worker crashed or released the record, and may have posted. */
  readonly attempt: number;
  readonly progress: Progress;
}

/** A leased record, with what its end needs. */
export interface TakenRecord<K extends InboxRecord["kind"] = InboxRecord["kind"]> extends LeasedRecord<K> {
  /**
   * Remaining attempts after this one. Below 0, the record must not be processed, only parked: every previous worker crashed or failed to
   * finish.
   */
  readonly triesLeft: number;
  /** Records of one lane are processed one after the other: those of one kind in one thread. */
  readonly lane: string;
}

/** Identifies a lease: the record and the number of its lease. */
export type RecordLease = Pick<LeasedRecord, "attempt"> & { readonly record: Pick<InboxRecord, "request_id"> };

/** A lease whose end lets the next record of its lane begin. */
export type LaneLease = RecordLease & Pick<TakenRecord, "lane">;

/** The open records that a stop applies to. */
export interface StopTarget {
  readonly team_id: string;
  readonly channel: string;
  /** All threads of the channel when absent. */
  readonly thread_ts?: string;
}

/** How to store an arriving record. Call either `stored` or `notStored` afterwards. */
export interface Arrival {
  /** `leased`: this process has room for it. It starts at once if no other record is open in its lane. */
  readonly as: "leased" | "ready";
  /** The record is stored in that way. */
  readonly stored: (entry: TakenRecord) => void;
  readonly notStored: () => void;
}

/** The workers of this process, as its inbox needs them. Must not throw. */
export interface InboxProcess {
  /** Announces an arriving record. */
  readonly enter: (kind: InboxRecord["kind"]) => Arrival;
  readonly isRunning: (requestId: string) => boolean;
  /** Records may be available: of this kind, or of any when it is absent. */
  readonly onReady: (kind?: string) => void;
  /** Other processes have this process's records, or may have them soon: it must stop all work, and post nothing. */
  readonly onLost: () => void;
  /** The lease could not be renewed, or the inbox not be looked through; this is repeated. */
  readonly onFailure: (cause: unknown) => void;
}

/**
 * Stores records from before Slack's event is acknowledged until they are done. Several processes can share one inbox. A record is leased
 * to one of them; when that process renews its lease no longer, another one takes the record. Methods with a lease reject with
 * `LeaseLostError` (`endings.ts`) and change nothing if the lease was lost. `complete` is safe to repeat after a lost response, and so are
 * all methods without a lease.
 */
export interface Inbox {
  /** How long this process's lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /**
   * Begins this process's lease, without which it must take no record, and keeps it. Listens for records that other processes store. Safe to
   * repeat after an error.
   */
  open(process: InboxProcess): Promise<void>;
  /** Ends the lease. Records still leased are available to other processes soon. */
  close(): Promise<void>;
  /** Returns true if other processes may have this process's records by now. */
  isLeaseOver(): boolean;
  /**
   * Stores the record with its claims: atomic, and durable once it resolves. `duplicate` if another record holds any of its claims, even a
   * finished one; claims are kept for at least a day. Rejects if the record may not be stored; the same record can then be passed again.
   */
  accept(record: InboxRecord): Promise<"accepted" | "duplicate">;
  /** Records as jobs; their kind is their share. The oldest record of a thread and kind can be taken, once it is due, and no other. */
  readonly jobs: Pick<JobStore<InboxColumn>, "waitingShares" | "take" | "lost" | "held">;
  /** Reads a record as taken. Throws an `UnreadableRecordError` (`endings.ts`). */
  read<K extends InboxRecord["kind"]>(job: TakenJob<InboxColumn>): TakenRecord<K>;
  /** Resolves with what a question needs to know when work on it begins. */
  standing(record: Question): Promise<Standing>;
  /** Stores progress; absent members stay unchanged. With an answer, also joins the thread, if given, in the same commit. */
  note(held: RecordLease, progress: Progress, answered?: AnsweredThread): Promise<void>;
  /** Deletes a record that is answered, or that must not be retried. Its claims stay. */
  complete(held: LaneLease): Promise<void>;
  /** Releases the record for a retry after `afterMs` milliseconds. Until then, later records of its thread wait too. */
  retryLater(held: RecordLease, afterMs: number): Promise<void>;
  /** Releases the record to another process, after `afterMs` milliseconds if given. The attempt does not count. */
  release(held: RecordLease, afterMs?: number): Promise<void>;
  /** Parks a record that failed too often, for an operator; its thread continues without it. `why` must contain nothing private. */
  park(held: LaneLease, why: string): Promise<void>;
  /**
   * Marks the open questions of the target that were accepted before the stop record `by`, if it exists. Resolves with the number of
   * questions that this record has marked, including earlier calls.
   */
  stop(target: StopTarget, by: Pick<StopRecord, "request_id">): Promise<number>;
  /** Resolves with true if the question was marked. */
  isStopped(requestId: string): Promise<boolean>;
  load(): Promise<InboxLoad>;
  /** Resolves with the number of open questions of a thread. */
  queueIn(thread: TeamThread): Promise<ThreadQueue>;
  /** Resolves with true if the question still waits for its first lease. */
  isWaiting(requestId: string): Promise<boolean>;
}
