import { readCommand } from "../../answering/questions/message-command.ts";
import { headOf, type InboxRecord, type Question, type TurnedAwayRecord } from "../../inbox/records.ts";
import type { StoreRetry } from "../../inbox/endings.ts";
import type { ThreadStore } from "../../inbox/thread-store.ts";
import { readMessage } from "../../slack/reading/read-message.ts";
import type { SlackIdentity } from "../../slack/slack-api.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";
import {
  type AddressedMessage,
  ignoreReasons,
  judgeMessage,
  readMessageEvent,
  readSessionStopped,
  type SlackEnvelope,
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

export interface IntakeResult {
  readonly verdict: EventVerdict;
  /** Set if the event became a record, or would have. */
  readonly record?: InboxRecord;
  /** Set if another question of the same thread is still open. */
  readonly queued?: true;
}

/** Receives an event in its workspace. */
export type EventIntake = (
  workspace: WorkspaceContext,
  envelope: SlackEnvelope,
  reception: { readonly retryStore: StoreRetry; readonly traceparent?: string },
) => Promise<IntakeResult>;

const noQueue = { waiting: 0, inWork: 0 };

/**
 * Decides what an event means and stores the resulting record. It calls only the zone's own database, within the time limit of
 * `retryStore`, and rejects if the record may not be stored.
 *
 * A reply without a mention is ignored if it arrives before the message that brings the app into its thread, although Slack does not
 * guarantee the order. Answering it later would require storing messages between people in threads without the app.
 */
export function createEventIntake({
  inbox,
  threads,
  limits,
  clock,
  newId,
}: Pick<ZoneParts, "inbox" | "threads" | "limits" | "clock" | "newId">): EventIntake {
  return async ({ identity, policies }, envelope, { retryStore, traceparent }) => {
    const event = readMessageEvent(envelope.event);
    const isOurs: ThreadStore["has"] = (thread) => retryStore(() => threads.has(thread));
    const judgment = event && (await judgeMessage(event, identity, isOurs));
    if (judgment?.ignored !== undefined) return { verdict: judgment.ignored };
    const head = newHead(envelope, identity, {
      request_id: newId(),
      correlation_id: newId(),
      received_at: clock.now(),
    });
    const read = judgment ? messageRecord(judgment.message, head, identity) : stoppedRecord(envelope, head);
    if (read === undefined) return { verdict: "unknown_event" };
    const { denial } = await retryStore(() => policies.atIntake(read));
    if (denial !== undefined)
      return { verdict: denial.reason === "foreign_author" ? "foreign_author" : "foreign_team" };
    const { waiting, inWork } = read.kind === "ask" ? await retryStore(() => inbox.queueIn(read)) : noQueue;
    const taken = read.kind === "ask" && waiting >= limits.MAX_WAITING_PER_THREAD ? turnedAway(read) : read;
    const record = traceparent === undefined ? taken : { ...taken, traceparent };
    const verdict = await retryStore(() => inbox.accept(record));
    return { verdict, record, queued: taken.kind === "ask" && waiting + inWork > 0 ? true : undefined };
  };
}

type NewHead = ReturnType<typeof newHead>;

/** Returns what every record of an event has. */
function newHead(
  envelope: SlackEnvelope,
  identity: SlackIdentity,
  ids: { readonly request_id: string; readonly correlation_id: string; readonly received_at: number },
) {
  const { team_id } = identity;
  const claims = envelope.event_id === undefined ? [] : [`event ${envelope.event_id}`];
  return { ...ids, claims, team_id, org_id: workspaceOf(envelope).org_id, teams: teamsOf(envelope, identity) };
}

function messageRecord(message: AddressedMessage, head: NewHead, { team_id, bot_user_id }: SlackIdentity): InboxRecord {
  const { channel, user, ts, thread_ts, type, user_team, team } = message;
  const { words: text, files, others, hasQuotes: has_quotes, unreadable } = readMessage(message, bot_user_id);
  const record = {
    ...head,
    claims: [...head.claims, `message ${team_id} ${channel} ${ts}`],
    channel,
    thread_ts: thread_ts ?? ts,
    in_thread: thread_ts !== undefined,
    user_id: user,
    author_teams: [...new Set([user_team, team])].filter((home) => home !== undefined),
  };
  if (files.length === 0 && readCommand(text).kind === "stop")
    return {
      ...record,
      kind: "stop",
      whole_channel: thread_ts === undefined && channel.startsWith("D"),
      written: true,
    };
  const files_unknown = type === "app_mention" && files.length === 0;
  return { ...record, kind: "ask", ts, text, files, files_unknown, others, has_quotes, unreadable };
}

function stoppedRecord({ event }: SlackEnvelope, head: NewHead): InboxRecord | undefined {
  const stopped = event.type === "agent_session_stopped" ? readSessionStopped(event) : undefined;
  if (stopped === undefined) return undefined;
  const { channel, thread_ts, user: user_id } = stopped;
  const place = { channel, thread_ts, in_thread: true, user_id, author_teams: [] };
  return { ...head, ...place, kind: "stop", whole_channel: false, written: false };
}

/**
 * Returns what remains of a rejected question: enough to notify its author. It keeps the claims, so that the message's second event is
 * rejected too.
 */
function turnedAway(record: Question): TurnedAwayRecord {
  const { request_id, claims } = record;
  return { ...headOf(record), request_id, claims, kind: "turned_away" };
}
