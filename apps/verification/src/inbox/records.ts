import type { Fire, InputAnswer, InputRequest, OthersContent, TaskFile, UnreadableContent } from "@crosszone/contracts";
import type { LeaseId } from "@crosszone/jobs";
import type { PassedMessage } from "../slack/interaction.ts";
import type { BelowText, MessagePlace, SlackFile, SlackThread, TaskMark, WorkspaceId } from "../slack/slack-api.ts";

/** A thread, as one team sees it: a channel shared by two teams has one id, and a separate app in each. */
export interface TeamThread extends SlackThread {
  readonly team_id: string;
}

/** A person, in a thread. */
export interface PersonInThread extends TeamThread {
  readonly user_id: string;
}

/** The common part of all records. */
export interface RecordHead extends PersonInThread, WorkspaceId {
  /** Created once, here: the JSON-RPC id of the task, so that sending it again never starts a second run. UUID. */
  readonly request_id: string;
  /** Identifies the message in both zones. UUID. */
  readonly correlation_id: string;
  /** The span that received the message; later work continues its trace. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
  /** Keys that no other record can claim: the event's id and the message itself. */
  readonly claims: readonly string[];
  /** The teams in the event's envelope; empty if it names none. */
  readonly teams: readonly string[];
  /** The author's home teams in the event. */
  readonly author_teams: readonly string[];
  /** True if it happened in a thread; otherwise the thread starts with the first reply. */
  readonly in_thread: boolean;
  /** Unix milliseconds. */
  readonly received_at: number;
  /** The app's own message by which a schedule or hook asks. The answer takes its place, above its text, mrkdwn; `mark` lets people ask again. */
  readonly headline?: { readonly ts: string; readonly text: string; readonly mark: Partial<TaskMark> };
}

/** Returns the part of a record that records which follow from it have too. */
export function headOf(record: RecordHead) {
  const { correlation_id, team_id, user_id, teams, author_teams, channel, thread_ts, in_thread, received_at } = record;
  const { traceparent, org_id, headline } = record;
  const place = { team_id, org_id, channel, thread_ts, in_thread, headline };
  return { correlation_id, traceparent, ...place, user_id, teams, author_teams, received_at };
}

export interface Question extends RecordHead {
  readonly kind: "ask";
  /** Slack's timestamp of the message; equal to `thread_ts` unless it is a reply. */
  readonly ts: string;
  /** The text as typed, without the mention of the bot. */
  readonly text: string;
  readonly files: readonly SlackFile[];
  /** True if the files must be looked up, because Slack sometimes omits them from `app_mention`. */
  readonly files_unknown: boolean;
  /** Forwarded messages and previews: content of others. */
  readonly others?: readonly OthersContent[];
  /** True if `text` quotes others. */
  readonly has_quotes?: boolean;
  /** What could not be read. */
  readonly unreadable?: readonly UnreadableContent[];
  /** The agent that was chosen by a press; otherwise the text or the thread says which one. */
  readonly agent?: string | undefined;
  /** The agent that wrote the text, as a follow-up that the person pressed. Then the text is never a command. */
  readonly offered_by?: string | undefined;
  /** True if the text goes to `agent`, or is the input of the workflow of that name, as it is: it is never a command. */
  readonly is_literal?: boolean | undefined;
  /** True if a schedule or hook asks in its owner's name. The request id is the fire's. */
  readonly is_fire?: boolean | undefined;
  /** True if a sweep found it. The rate limits don't count it: its author did not write it now. */
  readonly late?: boolean;
  /** When its author edited the message, if `text` is from then: Slack's timestamp. */
  readonly edited_ts?: string;
}

/**
 * A fire of a schedule or hook, whose question follows the message that shows it. Its id is `fireRecordId`, its correlation id the fire's. Its
 * `thread_ts` is empty unless a thread was given. Created by the zone itself.
 */
interface FireRecord extends RecordHead {
  readonly kind: "fire";
  readonly fire: Fire;
}

/** A request to stop running tasks. */
export interface StopRecord extends RecordHead {
  readonly kind: "stop";
  /** True if it applies to the whole conversation, as for a `stop` that is not a reply. */
  readonly whole_channel: boolean;
  /** True if a person wrote it and expects a reply even if nothing was running. */
  readonly written: boolean;
  /** The claim of the deleted message: only its question is stopped, without a trace. */
  readonly withdraws?: string;
  /** True if nothing is stopped, but the app no longer follows the thread. */
  readonly quiets?: boolean;
}

/** A message that its thread has no room for. It is not answered; its author is notified. */
export interface TurnedAwayRecord extends RecordHead {
  readonly kind: "turned_away";
  /** True if it is one word to a question that runs; otherwise too many questions wait. */
  readonly one_word?: boolean;
  /** The input requests that the thread waits for, if it is a word or two that decides none of them. */
  readonly awaits?: readonly string[];
}

/** A message that was found too late to answer it. It is only listed. Created by a sweep. */
interface MissedRecord extends RecordHead {
  readonly kind: "missed";
  readonly reason: string;
}

/** Returns the record of a question that a sweep found, which is answered late, or with a `missed` reason only listed. */
export function foundRecord(question: Question, missed: string | undefined): Question | MissedRecord {
  if (missed === undefined) return { ...question, late: true };
  const { request_id, claims, ts } = question;
  const received_at = Math.round(Number(ts) * 1_000);
  return { ...headOf(question), request_id, claims, kind: "missed", reason: missed, received_at };
}

/** A notice about a record that is already done, so that nothing waits behind it. Created by the zone itself. */
export interface NoticeRecord extends RecordHead {
  readonly kind: "notice";
  readonly text: string;
  /** Posted to the whole thread, ephemerally to its person, or to the channel itself. */
  readonly to: "thread" | "person" | "channel";
}

/**
 * A workflow run that failed for a question. If an operator retries the run, its thread gets the new result. Created by the zone itself.
 */
export interface FailedRunRecord extends RecordHead {
  readonly kind: "failed_run";
  readonly task_id: string;
  /** The revision of the run's progress in the thread. */
  readonly seen: number;
  /** When to stop watching, Unix milliseconds. */
  readonly until: number;
}

/** An input request that Slack shows until it is closed. Its id is `inputRecordId`. Created by the zone itself. */
export interface ShownInputRecord extends RecordHead {
  readonly kind: "input";
  /** The request as it was asked. What it asks for never changes, its state does. */
  readonly request: InputRequest;
}

/** A task that waits for people. The thread of its question gets its answer. Its id is `pausedTaskId`. Created by the zone itself. */
export interface PausedTaskRecord extends RecordHead {
  readonly kind: "paused_task";
  readonly task_id: string;
  /** The question's request id: the session of every call about the task. */
  readonly session: string;
  readonly is_workflow: boolean;
  readonly people: readonly string[];
  /** What the thread reads while the task waits. The next attempt at the question needs it. */
  readonly told: { readonly text: string; readonly name?: string | undefined; readonly agent?: string | undefined };
}

/** A press under an answer, which its reference identifies, or the modal that it opened. */
export interface AnswerPress {
  readonly of: "answer";
  readonly id: string;
  /** Its row of the table of presses. */
  readonly verb: string;
  /** The value of the button. */
  readonly value?: string | undefined;
  /** What was entered in the modal, by block. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** A person's answer to an input request, by a press or a submitted modal. */
export interface InputPress {
  readonly of: "input";
  readonly id: string;
  readonly answer: InputAnswer;
  /** The digest of the action that the person saw. */
  readonly digest?: string | undefined;
}

/** What a person pressed or submitted, stored before Slack's acknowledgment. */
export interface PressRecord extends RecordHead {
  readonly kind: "press";
  readonly press: InputPress | AnswerPress;
  /** True if it was on the Home tab, which then says what became of it. */
  readonly on_home?: boolean | undefined;
  /** The person's own team. */
  readonly user_team?: string | undefined;
}

/**
 * A Home tab to publish: its person opened it, or pressed something on it. Its channel is the app's direct message with the person, and
 * its `thread_ts` is empty.
 */
export interface HomeRecord extends RecordHead {
  readonly kind: "home";
  /** What became of the press, mrkdwn. */
  readonly note?: string;
  /** The part that it shows alone, and from which entry on: `agents 30`. Absent for the whole tab. */
  readonly page?: string;
}

/** A message that Slack passed on with a shortcut, kept until its form is submitted. Its id is `keptMessageId`. */
export interface KeptMessageRecord extends RecordHead {
  readonly kind: "kept_message";
  readonly message: PassedMessage;
}

export type InboxRecord =
  | (Question | StopRecord | TurnedAwayRecord | MissedRecord | NoticeRecord | FailedRunRecord)
  | (ShownInputRecord | PausedTaskRecord | PressRecord | HomeRecord | FireRecord | KeptMessageRecord);

/** The kinds that wait for people, maybe for days. They don't count as load, and don't fill the inbox. */
export const waitingKinds = [
  "failed_run",
  "input",
  "paused_task",
  "kept_message",
] as const satisfies InboxRecord["kind"][];

/** How long a message is kept for a form that is open, milliseconds. */
export const keptMs = 3_600_000;

/** Return the ids of the records of input requests, of fires, of tasks that wait for people, and of messages with a form. */
export const inputRecordId = (inputId: string): string => `input:${inputId}`;
export const fireRecordId = (fireId: string): string => `fire:${fireId}`;
export const pausedTaskId = (taskId: string): string => `paused_task:${taskId}`;
export const keptMessageId = (formId: string): string => `kept_message:${formId}`;

/** Returns what the record of a message claims: its question, or the deletion that came first. */
export const messageClaim = (team_id: string, channel: string, ts: string): string =>
  `message ${team_id} ${channel} ${ts}`;

export const isMessageClaim = (claim: string): boolean => claim.startsWith("message ");

/** Returns what the record of a question's task claims. */
export const pausedClaim = (requestId: string): string => `paused ${requestId}`;

export type ShownCard = MessagePlace & { readonly user_id?: string };

/** An answer that is stored before it is posted, so that a later worker posts the same one, with what is below its last message. */
export interface StoredAnswer extends BelowText {
  /** The state in the mark of its messages. */
  readonly state: "done" | "failed" | "stopped";
  /** For operators: why it failed, without content. */
  readonly failure?: string | undefined;
  /** Markdown messages, in order. */
  readonly parts: readonly string[];
  /** The whole answer if it is too long for messages, the note that it follows, and what people read if it does not. */
  readonly file?: { readonly content: string; readonly attached: string; readonly notAttached: string };
  /** Files of the answer, stored in execution. */
  readonly files?: AnswerFiles;
  /** Number of input requests that its task waits for. */
  readonly inputs?: number;
  /** True if people have read the beginning of its text while it was written. */
  readonly isBegun?: boolean;
}

/** Files that an agent created for an answer. */
export interface AnswerFiles {
  readonly taskId: string;
  readonly files: readonly TaskFile[];
}

/** The progress of a record, stored at each step; the next worker starts from it. */
export interface Progress {
  /** True if the question's author had deleted it when it was leased. */
  readonly isWithdrawn?: boolean;
  /** Timestamp of the progress message. */
  readonly placeholder?: string;
  /** The answer that is being delivered. */
  readonly answer?: StoredAnswer;
  /** True if the answer's file is in the thread. */
  readonly attached?: boolean;
  readonly shown?: ShownInput;
}

/** What Slack shows of an input request. */
export interface ShownInput {
  readonly version: number;
  /** The number of reminders. */
  readonly reminders: number;
  /** Each message; of a direct one, the person it asks. */
  readonly cards: readonly ShownCard[];
  /** People who could not be asked. */
  readonly unreachable?: readonly string[];
  /** True if the members of a group are unknown. */
  readonly isGroupUnread?: boolean;
  /** True if Slack refuses the message in the thread. */
  readonly hasNoThread?: boolean;
  /** False once it was decided or has ended otherwise. */
  readonly isOpen?: boolean;
}

/**
 * Which attempts follow this one: some, or it is the last of the work itself; after that, one that only says that the work failed, and then none
 * that does anything but park the record.
 */
export type Tries = "more" | "last" | "spent" | "over";

/** A record leased by a worker. */
export interface LeasedRecord<K extends InboxRecord["kind"] = InboxRecord["kind"]> extends LeaseId {
  readonly record: Extract<InboxRecord, { kind: K }>;
  /** The number of this lease, from 1. Above 1, an earlier worker crashed or released the record, and may have posted. */
  readonly attempt: number;
  readonly tries: Tries;
  /** Records of one lane are processed one after the other: those of one kind in one thread. */
  readonly lane: string;
  readonly progress: Progress;
}

/** A question that waits or is in work. */
export interface OpenQuestion {
  readonly record: Question;
  /** How often it was leased. */
  readonly attempt: number;
}

/** The open records that a stop applies to. */
export interface StopTarget {
  readonly team_id: string;
  readonly channel: string;
  /** All threads of the channel when absent. */
  readonly thread_ts?: string;
}
