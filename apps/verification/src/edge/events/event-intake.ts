import { readCommand } from "../../answering/questions/message-command.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { InboxRecord, Question, TurnedAwayRecord } from "../../inbox/records.ts";
import type { StoreRetry } from "../../inbox/store-retry.ts";
import type { ThreadStore } from "../../inbox/thread-store.ts";
import { messageText } from "../../slack/message-text.ts";
import type { SlackIdentity } from "../../slack/slack-api.ts";
import { readFiles } from "../../slack/read-replies.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";
import { type AddressedMessage, type IgnoreReason, ignoreReasons, judgeMessage } from "./message-verdict.ts";
import {
  readMessageEvent,
  readSessionStopped,
  type SlackEnvelope,
  type SlackMessageEvent,
  teamsOf,
  workspaceOf,
} from "./slack-event.ts";

/** The outcome of an event: answered, a duplicate, or the reason why it is ignored. */
export const eventVerdicts = [
  "accepted",
  "duplicate",
  "foreign_team",
  "foreign_author",
  "not_installed",
  "installation_ended",
  "wrong_app",
  "unknown_event",
  ...ignoreReasons,
] as const;

export type EventVerdict = (typeof eventVerdicts)[number];

export interface IntakeDeps {
  readonly inbox: Pick<Inbox, "accept" | "queueIn">;
  readonly threads: Pick<ThreadStore, "has">;
  /** Maximum number of questions that wait in one thread; further ones are turned away. */
  readonly mostWaiting: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Makes UUIDs. */
  readonly newId: () => string;
}

export interface IntakeResult {
  readonly verdict: EventVerdict;
  /** Set if the event became a record, or would have. */
  readonly record?: InboxRecord;
  /** Set if another question of the same thread is still open. */
  readonly queued?: true;
}

/** How an event is received: the retries of its database calls, and its trace context. */
export interface Reception {
  readonly retryStore: StoreRetry;
  readonly traceparent?: string;
}

/** Receives an event in its workspace. */
export type EventIntake = (
  context: Pick<WorkspaceContext, "identity" | "policies">,
  envelope: SlackEnvelope,
  reception: Reception,
) => Promise<IntakeResult>;

const noQueue = { waiting: 0, inWork: 0 };

/**
 * Decides what an event means and stores the resulting record. It calls only the zone's own database, within the time limit of
 * `retryStore`, and rejects if the record may not be stored.
 *
 * A reply without a mention is ignored if it arrives before the message that brings the app into its thread, although Slack does not
 * guarantee the order. Answering it later would require storing messages between people in threads without the app.
 */
export function createEventIntake(deps: IntakeDeps): EventIntake {
  const { inbox } = deps;

  return async ({ identity, policies }, envelope, { retryStore, traceparent }) => {
    const threads: typeof deps.threads = { has: (thread) => retryStore(() => deps.threads.has(thread)) };
    const made = { ...deps, identity };
    const event = readMessageEvent(envelope.event);
    const read = event === undefined ? stoppedRecord(envelope, made) : await judged(event);
    if (typeof read === "string") return { verdict: read };
    const { denial } = await policies.atIntake(read);
    if (denial !== undefined)
      return { verdict: denial.reason === "foreign_author" ? "foreign_author" : "foreign_team" };
    const { waiting, inWork } = read.kind === "ask" ? await retryStore(() => inbox.queueIn(read)) : noQueue;
    const taken = read.kind === "ask" && waiting >= deps.mostWaiting ? turnedAway(read) : read;
    const record = traceparent === undefined ? taken : { ...taken, traceparent };
    const verdict = await retryStore(() => inbox.accept(record));
    return { verdict, record, ...(taken.kind === "ask" && waiting + inWork > 0 && { queued: true }) };

    async function judged(message: SlackMessageEvent): Promise<InboxRecord | IgnoreReason> {
      const judgment = await judgeMessage(message, identity, threads);
      return judgment.ignored ?? messageRecord(judgment.message, envelope, made);
    }
  };
}

interface RecordParts extends Pick<IntakeDeps, "now" | "newId"> {
  readonly identity: SlackIdentity;
}

function messageRecord(message: AddressedMessage, envelope: SlackEnvelope, deps: RecordParts): InboxRecord {
  const { channel, user, ts, thread_ts, type, user_team, team } = message;
  const text = messageText(message.text, deps.identity.bot_user_id);
  const files = readFiles(message.files);
  const head = {
    ...newHead(envelope, deps),
    claims: [...claimOfEvent(envelope.event_id), `message ${deps.identity.team_id} ${channel} ${ts}`],
    channel,
    thread_ts: thread_ts ?? ts,
    in_thread: thread_ts !== undefined,
    user_id: user,
    teams: teamsOf(envelope, deps.identity),
    author_teams: [...new Set([user_team, team])].filter((home) => home !== undefined),
  };
  if (files.length === 0 && readCommand(text).kind === "stop")
    return { ...head, kind: "stop", whole_channel: thread_ts === undefined && channel.startsWith("D"), written: true };
  return { ...head, kind: "ask", ts, text, files, files_unknown: type === "app_mention" && files.length === 0 };
}

function stoppedRecord(envelope: SlackEnvelope, deps: RecordParts): InboxRecord | "unknown_event" {
  const { event, event_id } = envelope;
  const stopped = event.type === "agent_session_stopped" ? readSessionStopped(event) : undefined;
  if (stopped === undefined) return "unknown_event";
  const { channel, thread_ts, user } = stopped;
  return {
    ...newHead(envelope, deps),
    claims: claimOfEvent(event_id),
    channel,
    thread_ts,
    in_thread: true,
    user_id: user,
    teams: teamsOf(envelope, deps.identity),
    author_teams: [],
    kind: "stop",
    whole_channel: false,
    written: false,
  };
}

/**
 * Returns what remains of a rejected question: enough to notify its author. It keeps the claims, so that the message's second event is
 * rejected too.
 */
function turnedAway(record: Question): TurnedAwayRecord {
  const { ts: _ts, text: _text, files: _files, files_unknown: _filesUnknown, ...head } = record;
  return { ...head, kind: "turned_away" };
}

function newHead(
  envelope: SlackEnvelope,
  { identity, now, newId }: RecordParts,
): Pick<InboxRecord, "request_id" | "correlation_id" | "team_id" | "org_id" | "received_at"> {
  const { org_id } = workspaceOf(envelope);
  return { request_id: newId(), correlation_id: newId(), team_id: identity.team_id, org_id, received_at: now() };
}

function claimOfEvent(eventId: string | undefined): string[] {
  return eventId === undefined ? [] : [`event ${eventId}`];
}
