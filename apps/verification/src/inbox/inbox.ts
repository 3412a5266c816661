import type { SlackFile, SlackThread } from "../slack/slack-api.ts";

/** What every record says, whatever was asked. */
interface RecordHead extends SlackThread {
  /** Made once, here: the JSON-RPC id of the task, so that sending it again never starts a second run. UUID. */
  readonly request_id: string;
  /** Follows the message through both zones. UUID. */
  readonly correlation_id: string;
  /** The span that received the message; the work on it continues that trace. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
  /** What no other record may claim too: the event's id, the message itself. */
  readonly claims: readonly string[];
  /** The team that installed the app. */
  readonly team_id: string;
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

export type InboxRecord = AskRecord | StopRecord | TurnedAwayRecord;

/** A record that a worker has taken. */
export interface InboxEntry<K extends InboxRecord["kind"] = InboxRecord["kind"]> {
  readonly record: Extract<InboxRecord, { kind: K }>;
  /** From 1. Above it, a worker before has died with the record and may have posted already. */
  readonly attempt: number;
  /** Timestamp of the message that says that the work is going on, if one was noted. */
  readonly placeholder?: string;
}

/** Which open records a stop is about. */
export interface StopTarget {
  readonly team_id: string;
  readonly channel: string;
  /** All threads of the channel when absent. */
  readonly thread_ts?: string;
}

/** Thrown by `accept` when there is no room; Slack then sends the event again. */
export class InboxFullError extends Error {
  override readonly name = "InboxFullError";
}

/**
 * Keeps what has to be answered, from before Slack's event is acknowledged until it is done. Several processes may work on one
 * inbox; a record is in work in one of them only.
 */
export interface Inbox {
  /**
   * Stores the record and claims what it claims, both or nothing. `duplicate` when any of its claims is held, be it by a record
   * that is long done. Claims are held for a day at least. Rejects when the record is not stored.
   */
  accept(record: InboxRecord): Promise<"accepted" | "duplicate">;
  /** Takes the oldest waiting record of a kind whose thread has no other record of that kind in work. */
  take<K extends InboxRecord["kind"]>(kind: K): Promise<InboxEntry<K> | undefined>;
  /** Remembers which message says that the work is going on; it becomes the answer. */
  notePlaceholder(requestId: string, ts: string): Promise<void>;
  /** The record is answered. */
  complete(requestId: string): Promise<void>;
  /** The record cannot be answered, and nobody shall try again. */
  fail(requestId: string): Promise<void>;
  /** Marks the open questions that are meant as stopped; tells how many there are. */
  stop(target: StopTarget): Promise<number>;
  /** Whether the question was marked. */
  isStopped(requestId: string): Promise<boolean>;
  /** How many records wait. */
  waiting(): Promise<number>;
  /** How many questions wait in a thread, without those in work. */
  waitingIn(thread: SlackThread & { readonly team_id: string }): Promise<number>;
}
