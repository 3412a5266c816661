import type { TaskFile } from "@crosszone/contracts";
import type { SlackFile, SlackThread, WorkspaceId } from "../slack/slack-api.ts";
import type { TeamThread } from "./thread-store.ts";

/** What every record says, whatever was asked. */
export interface RecordHead extends SlackThread, WorkspaceId {
  /** Made once, here: the JSON-RPC id of the task, so that sending it again never starts a second run. UUID. */
  readonly request_id: string;
  /** Follows the message through both zones. UUID. */
  readonly correlation_id: string;
  /** The span that received the message; the work on it continues that trace. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
  /** What no other record may claim too: the event's id, the message itself. */
  readonly claims: readonly string[];
  readonly user_id: string;
  /** The teams that the event's envelope names; none when it does not say where it is from. */
  readonly teams: readonly string[];
  /** The teams that the event names as the author's home. */
  readonly author_teams: readonly string[];
  /** Whether it was done within a thread; otherwise its thread is not there before somebody replies. */
  readonly in_thread: boolean;
  /** Unix milliseconds. */
  readonly received_at: number;
}

/** A message that is to be answered. */
export interface AskRecord extends RecordHead {
  readonly kind: "ask";
  /** Slack's timestamp of the message; the same as `thread_ts` when it is no reply. */
  readonly ts: string;
  /** As the person typed it, without the mention of the bot. */
  readonly text: string;
  readonly files: readonly SlackFile[];
  /** Slack leaves the files out of `app_mention` at times: they have to be looked up. */
  readonly files_unknown: boolean;
}

/** The wish to stop what runs in a thread. */
export interface StopRecord extends RecordHead {
  readonly kind: "stop";
  /** Whether the whole conversation is meant, as with a `stop` that is no reply. */
  readonly whole_channel: boolean;
  /** Whether somebody wrote it and waits for an answer even when nothing ran. */
  readonly written: boolean;
}

/** A message that came while too many waited in its thread. It is not answered; its author is told so. */
export interface TurnedAwayRecord extends RecordHead {
  readonly kind: "turned_away";
}

/** Words that are owed to somebody whose own record is done with, so that nothing waits behind them. Accepted by the zone itself. */
export interface NoticeRecord extends RecordHead {
  readonly kind: "notice";
  readonly text: string;
  /** Whether all in the thread may read it, or its person alone. */
  readonly to: "thread" | "person";
}

export type InboxRecord = AskRecord | StopRecord | TurnedAwayRecord | NoticeRecord;

/** What is to be said in the end, kept before it is said, so that who comes after says the same. */
export interface KeptAnswer {
  /** The mark of its messages. */
  readonly state: "done" | "failed" | "stopped";
  /** Markdown, one message each, in order. */
  readonly parts: readonly string[];
  /** The whole answer, where it is too long for messages, and what the first part says of its being attached or not. */
  readonly file?: { readonly content: string; readonly attached: string; readonly notAttached: string };
  /** Files of the answer, which execution keeps. */
  readonly files?: AnswerFiles;
}

/** Files that an agent made for an answer. */
export interface AnswerFiles {
  /** The task that they belong to. */
  readonly taskId: string;
  readonly files: readonly TaskFile[];
}

/** How far the work on a record has come. Noted as soon as it is so, and what the next worker starts from. */
export interface Progress {
  /** Timestamp of the message that says that the work is going on. */
  readonly placeholder?: string;
  /** The answer that is being brought. */
  readonly answer?: KeptAnswer;
  /** The answer's file is in the thread. */
  readonly attached?: boolean;
}

/** A record that a worker has taken, for as long as its lease is held. */
export interface InboxEntry<K extends InboxRecord["kind"] = InboxRecord["kind"]> {
  readonly record: Extract<InboxRecord, { kind: K }>;
  /** Which taking of it this is, from 1. Above it, a worker before has died with the record, or left it, and may have posted already. */
  readonly attempt: number;
  readonly progress: Progress;
}

/** What `take` gives. */
export interface TakenEntry<K extends InboxRecord["kind"] = InboxRecord["kind"]> extends InboxEntry<K> {
  /**
   * How often it may still be tried after this time. Below 0 it may not be worked on any more, only parked: whoever had it before
   * came to no end, be it that each of them died of it.
   */
  readonly triesLeft: number;
}

/** A lease: the record, and which taking of it. */
export type Held = Pick<InboxEntry, "attempt"> & { readonly record: Pick<InboxRecord, "request_id"> };

/** Which open records a stop is about. */
export interface StopTarget {
  readonly team_id: string;
  readonly channel: string;
  /** All threads of the channel when absent. */
  readonly thread_ts?: string;
}

/** Thrown when what is kept of a record cannot be read, as with a key that is not there any more; `lease` is its lease. */
export class UnreadableRecordError extends Error {
  override readonly name = "UnreadableRecordError";
  readonly lease: Held & Pick<TakenEntry, "triesLeft">;

  constructor(lease: UnreadableRecordError["lease"], cause: unknown) {
    super("what is kept of a record cannot be read", { cause });
    this.lease = lease;
  }
}

/** How much is in the inbox. */
export interface InboxLoad {
  /** Records that wait to be worked on. */
  readonly waiting: number;
  readonly inWork: number;
  /** Records that failed too often, and wait for an operator. */
  readonly parked: number;
  /** How long the oldest record that is not parked has been there, milliseconds; 0 when there is none. */
  readonly oldestMs: number;
}

/** The number of open questions in one thread. */
export interface ThreadQueue {
  readonly waiting: number;
  readonly inWork: number;
}

/** Thrown by `accept` when there is no room; Slack then sends the event again. */
export class InboxFullError extends Error {
  override readonly name = "InboxFullError";
}

/**
 * Keeps what has to be answered, from before Slack's event is acknowledged until it is done. Several processes may work on one
 * inbox: a record is leased to one of them, which renews the lease as long as it lives; when it does not, the record is taken again.
 * All methods that are given a lease reject with `LeaseLostError` (`endings.ts`) when it is not held any more, and change nothing
 * then. Each method may be called again when its answer was lost.
 */
export interface Inbox {
  /**
   * Stores the record, claims what it claims, and notes that somebody turned to the app in its thread (`thread-store.ts`), unless it
   * is only owed: all or nothing; durable when it resolves. `duplicate` when any of its claims is held by another record, be it long done. Claims are held
   * for a day at least. Rejects when it is not known to be stored: the same record may then be given again.
   */
  accept(record: InboxRecord): Promise<"accepted" | "duplicate">;
  /**
   * Leases the record of a kind that has waited longest and may be worked on: its time has come, or its lease has run out, nothing
   * older of its kind is open in its thread, and nothing of its kind is in work there. Rejects with an `UnreadableRecordError` when
   * it has leased a record that it cannot give.
   */
  take<K extends InboxRecord["kind"]>(kind: K): Promise<TakenEntry<K> | undefined>;
  /** Renews the leases that this process holds; gives those that it had lost. */
  renew(held: readonly Held[]): Promise<readonly Held[]>;
  /** Remembers how far the work has come; members that are absent stay as they are. */
  note(held: Held, progress: Progress): Promise<void>;
  /** The record is answered, or cannot be and nobody shall try again: it is forgotten, but for what it claims. */
  complete(held: Held): Promise<void>;
  /** Nobody works on it before `afterMs`, milliseconds, are over; nor on what is behind it in its thread. */
  retryLater(held: Held, afterMs: number): Promise<void>;
  /** Gives it back for another process, at once or when `afterMs`, milliseconds, are over: it costs the record none of its tries. */
  handBack(held: Held, afterMs?: number): Promise<void>;
  /** It failed too often: it is kept for an operator to look at, and its thread goes on without it. `why` holds nothing private. */
  park(held: Held, why: string): Promise<void>;
  /**
   * Marks the open questions that are meant and were accepted before the record that wants them stopped, if that is there; tells how
   * many that record has marked, also when it is worked on again.
   */
  stop(target: StopTarget, by: Pick<StopRecord, "request_id">): Promise<number>;
  /** Whether the question was marked. */
  isStopped(requestId: string): Promise<boolean>;
  load(): Promise<InboxLoad>;
  /** The open questions of a thread. */
  queueIn(thread: TeamThread): Promise<ThreadQueue>;
  /** Returns whether the question still waits for its first lease. */
  isWaiting(requestId: string): Promise<boolean>;
}
