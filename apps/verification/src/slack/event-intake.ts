import type { Inbox, InboxRecord } from "../inbox/inbox.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import { readCommand } from "./command.ts";
import { envelopeOrigin } from "./envelope-origin.ts";
import { messageText } from "./message-text.ts";
import { ignoreReasons, judgeMessage, type AddressedMessage, type IgnoreReason } from "./message-verdict.ts";
import type { SlackIdentity } from "./slack-api.ts";
import { readMessageEvent, readSessionStopped, type SlackEnvelope } from "./slack-event.ts";
import { readFiles } from "./slack-file.ts";

/** What became of an event: it is answered, it had been seen, or why it is not answered. */
export const eventVerdicts = [
  "accepted",
  "duplicate",
  "foreign_team",
  "wrong_app",
  "unknown_event",
  ...ignoreReasons,
] as const;

export type EventVerdict = (typeof eventVerdicts)[number];

export interface IntakeDeps {
  readonly identity: SlackIdentity;
  /** The app that events must be for; not checked when absent. */
  readonly appId: string | undefined;
  readonly inbox: Inbox;
  readonly threads: ThreadStore;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Makes UUIDs. */
  readonly newId: () => string;
}

export interface IntakeResult {
  readonly verdict: EventVerdict;
  /** Set when the event became a record, or would have become one. */
  readonly record?: InboxRecord;
}

/**
 * Decides what an event means and stores what has to be answered. It calls nobody, so it is done long before Slack's three seconds
 * are over; it rejects when the inbox does not take the record, and nothing is claimed then.
 */
export function createEventIntake(deps: IntakeDeps): (envelope: SlackEnvelope) => Promise<IntakeResult> {
  const { identity, inbox, threads, appId } = deps;

  return async (envelope) => {
    const origin = envelopeOrigin(envelope, identity, appId);
    if (origin !== "own") return { verdict: origin };
    const event = readMessageEvent(envelope.event);
    const record = event === undefined ? stoppedRecord(envelope, deps) : await judged(event);
    if (typeof record === "string") return { verdict: record };
    const verdict = await inbox.accept(record);
    if (verdict === "accepted") await threads.add(record);
    return { verdict, record };

    async function judged(message: NonNullable<typeof event>): Promise<InboxRecord | IgnoreReason> {
      const judgement = await judgeMessage(message, identity, threads);
      return judgement.ignored ?? messageRecord(judgement.message, envelope, deps);
    }
  };
}

function messageRecord(message: AddressedMessage, { event_id }: SlackEnvelope, deps: IntakeDeps): InboxRecord {
  const { channel, user, ts, thread_ts, type } = message;
  const text = messageText(message.text, deps.identity.bot_user_id);
  const files = readFiles(message.files);
  const head = {
    ...newHead(deps),
    claims: [...claimOfEvent(event_id), `message ${deps.identity.team_id} ${channel} ${ts}`],
    channel,
    thread_ts: thread_ts ?? ts,
    user_id: user,
  };
  if (files.length === 0 && readCommand(text).kind === "stop")
    return { ...head, kind: "stop", whole_channel: thread_ts === undefined && channel.startsWith("D"), written: true };
  return { ...head, kind: "ask", ts, text, files, files_unknown: type === "app_mention" && files.length === 0 };
}

function stoppedRecord({ event, event_id }: SlackEnvelope, deps: IntakeDeps): InboxRecord | "unknown_event" {
  const stopped = event.type === "agent_session_stopped" ? readSessionStopped(event) : undefined;
  if (stopped === undefined) return "unknown_event";
  const { channel, thread_ts, user } = stopped;
  const claims = claimOfEvent(event_id);
  return {
    ...newHead(deps),
    claims,
    channel,
    thread_ts,
    user_id: user,
    kind: "stop",
    whole_channel: false,
    written: false,
  };
}

function newHead({
  identity,
  now,
  newId,
}: IntakeDeps): Pick<InboxRecord, "request_id" | "correlation_id" | "team_id" | "received_at"> {
  return { request_id: newId(), correlation_id: newId(), team_id: identity.team_id, received_at: now() };
}

function claimOfEvent(eventId: string | undefined): string[] {
  return eventId === undefined ? [] : [`event ${eventId}`];
}
