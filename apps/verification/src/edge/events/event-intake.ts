import { isOneWord } from "../../answering/questions/message-command.ts";
import {
  headOf,
  type InboxRecord,
  messageClaim,
  type Question,
  type RecordHead,
  type TurnedAwayRecord,
} from "../../inbox/records.ts";
import type { StoreRetry } from "../../inbox/endings.ts";
import type { SlackThread } from "../../slack/slack-api.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";
import { type AddressedMessage, type DeletedMessage, ignoreReasons, judgeMessage } from "./judge-message.ts";
import { readMessageEvent, readSessionStopped, type SlackEnvelope, teamsOf, workspaceOf } from "./slack-event.ts";

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

type IntakeDeps = Pick<ZoneParts, "inbox" | "threads" | "policy" | "limits" | "clock" | "newId">;

/**
 * Decides what an event means and stores the resulting record. It calls only the zone's own database, within the time limit of
 * `retryStore`, and rejects if the record may not be stored.
 *
 * A reply without a mention is ignored if it arrives before the message that brings the app into its thread, although Slack does not
 * guarantee the order. Answering it later would require storing messages between people in threads without the app.
 */
export function createEventIntake(deps: IntakeDeps): EventIntake {
  const { inbox, threads, policy, clock, newId } = deps;
  return async ({ identity, policies }, envelope, { retryStore, traceparent }) => {
    const lookUp: typeof threads.lookUp = (place) => retryStore(() => threads.lookUp(place));
    const event = readMessageEvent(envelope.event);
    const meaning = event && (await judgeMessage(event, { identity, policy: policy.current(), lookUp }));
    if (meaning?.kind === "ignored") return { verdict: meaning.reason };
    const head = {
      request_id: newId(),
      correlation_id: newId(),
      received_at: clock.now(),
      ...(traceparent !== undefined && { traceparent }),
      claims: envelope.event_id === undefined ? [] : [`event ${envelope.event_id}`],
      team_id: identity.team_id,
      org_id: workspaceOf(envelope).org_id,
      teams: teamsOf(envelope, identity),
    };
    const read =
      meaning === undefined
        ? stoppedRecord(envelope, head)
        : meaning.kind === "deletion"
          ? await deletionRecord(inbox, meaning.deleted, { head, retryStore })
          : messageRecord(meaning.kind, meaning.message, head);
    if (read === undefined) return { verdict: meaning === undefined ? "unknown_event" : "deleted" };
    const { denial } = await retryStore(() => policies.atIntake(read));
    if (denial !== undefined)
      return { verdict: denial.reason === "foreign_author" ? "foreign_author" : "foreign_team" };
    const { record, queued } = read.kind === "ask" ? await intoQueue(deps, read, retryStore) : { record: read };
    const verdict = await retryStore(() => inbox.accept(record));
    if (verdict === "accepted" || meaning?.kind !== "deletion") return { verdict, record, queued };
    // The message came first, and has its claim.
    const later = { ...record, claims: [...head.claims, `deleted ${record.claims.at(-1)}`] };
    return { verdict: await retryStore(() => inbox.accept(later)), record };
  };
}

/**
 * Returns the record of a question for its thread: itself, or if the thread has no room, what remains of it: enough to notify its author. It
 * keeps the claims, so that the message's second event is rejected too.
 */
async function intoQueue(
  { inbox, limits }: IntakeDeps,
  question: Question,
  retryStore: StoreRetry,
): Promise<{ readonly record: Question | TurnedAwayRecord; readonly queued?: true | undefined }> {
  const { waiting, inWork, answered } = await retryStore(() => inbox.queueIn(question));
  if (waiting + inWork === 0) return { record: question };
  const { text, files, others } = question;
  const isReply = waiting + inWork === answered;
  const one_word = !isReply && files.length === 0 && others === undefined && isOneWord(text);
  if (!one_word && waiting < limits.MAX_WAITING_PER_THREAD) return { record: question, queued: true };
  const { request_id, claims } = question;
  return { record: { ...headOf(question), request_id, claims, kind: "turned_away", one_word } };
}

/** What every record of an event has. */
type NewHead = Omit<RecordHead, keyof SlackThread | "user_id" | "author_teams" | "in_thread">;

function messageRecord(kind: "ask" | "stop" | "quiet", message: AddressedMessage, head: NewHead): InboxRecord {
  const { channel, user, ts, thread_ts, type, user_team, team, read } = message;
  const record = {
    ...head,
    claims: [...head.claims, messageClaim(head.team_id, channel, ts)],
    channel,
    thread_ts: thread_ts ?? ts,
    in_thread: thread_ts !== undefined,
    user_id: user,
    author_teams: [...new Set([user_team, team])].filter((home) => home !== undefined),
  };
  const whole_channel = thread_ts === undefined && channel.startsWith("D");
  if (kind !== "ask") return { ...record, kind: "stop", whole_channel, written: true, quiets: kind === "quiet" };
  const { words: text, files, others, hasQuotes, unreadable } = read;
  const files_unknown = type === "app_mention" && files.length === 0;
  return {
    ...record,
    kind,
    ts,
    text,
    files,
    files_unknown,
    ...(others.length > 0 && { others }),
    ...(hasQuotes && { has_quotes: true }),
    ...(unreadable.length > 0 && { unreadable }),
  };
}

function stoppedRecord({ event }: SlackEnvelope, head: NewHead): InboxRecord | undefined {
  const stopped = event.type === "agent_session_stopped" ? readSessionStopped(event) : undefined;
  if (stopped === undefined) return undefined;
  const { channel, thread_ts, user: user_id } = stopped;
  const place = { channel, thread_ts, in_thread: true, user_id, author_teams: [] };
  return { ...head, ...place, kind: "stop", whole_channel: false, written: false };
}

/**
 * Returns the record that withdraws the question of a deleted message; undefined if there is none to withdraw. A deletion can arrive before
 * its message: then it has the claim of the message, which is a duplicate from then on.
 */
async function deletionRecord(
  inbox: ZoneParts["inbox"],
  { channel, ts, thread_ts = ts, user: user_id = "", mayAsk }: DeletedMessage,
  { head, retryStore }: { readonly head: NewHead; readonly retryStore: StoreRetry },
): Promise<InboxRecord | undefined> {
  const withdraws = messageClaim(head.team_id, channel, ts);
  const open = await retryStore(() => inbox.openOf(withdraws));
  if (open === undefined ? !mayAsk : open.length === 0) return undefined;
  const place = { channel, thread_ts, in_thread: thread_ts !== ts, user_id, author_teams: [] };
  const claims = [...head.claims, withdraws];
  return { ...head, ...place, claims, kind: "stop", whole_channel: false, written: false, withdraws };
}
