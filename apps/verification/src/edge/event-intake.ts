import { randomUUID } from "node:crypto";
import type { InputRequest } from "@crosszone/contracts";
import { intoQueue, isOnlyFewWords, turnedAway } from "../asking/notices.ts";
import { namedDeciders } from "../cards/input-card.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { StoreRetry } from "../inbox/record-ends.ts";
import { foundRecord, headOf, type InboxRecord, messageClaim, type Question } from "../inbox/records.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import { readMessage } from "../slack/reading/read-message.ts";
import type { SlackThread } from "../slack/slack-api.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { type Edit, ignoreReasons, judgeMessage, type MessageMeaning } from "./message-meaning.ts";
import {
  type AddressedMessage,
  claimsOfEvent,
  eventClaims,
  messageRecord,
  type NewHead,
  readMessageEvent,
  type SlackEnvelope,
  type SlackMessageEvent,
  teamsOf,
  unwrittenRecord,
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
  /** Set if the message of the record was edited after work on it had begun: it goes on with the old words. */
  readonly late?: true;
}

/** How long Slack sends an event again, milliseconds: until then, the edit of a message can arrive before the message. */
const resentMs = 600_000;

/** Receives an event in its workspace. */
export type EventIntake = (
  workspace: WorkspaceContext,
  envelope: SlackEnvelope,
  reception: {
    readonly retryStore: StoreRetry;
    readonly traceparent?: string;
    /** Set if a sweep found the message. With a `missed` reason, its question is only listed. */
    readonly found?: { readonly missed: string | undefined };
  },
) => Promise<IntakeResult>;

/**
 * Decides what an event means and stores the resulting record. It calls only the zone's own database, within the time limit of
 * `retryStore`, and rejects if the record may not be stored.
 *
 * A reply without a mention is ignored if it arrives before the message that brings the app into its thread, although Slack does not
 * guarantee the order. Answering it later would require storing messages between people in threads without the app.
 */
export function createEventIntake(inbox: Inbox, threads: ThreadStore): EventIntake {
  return (workspace, envelope, reception) => {
    const { identity } = workspace;
    const event = readMessageEvent(envelope.event);
    const claims = claimsOfEvent(envelope, event ?? {}, identity);
    if (event?.type === "message")
      inbox.recent.tell(claims.at(-1) ?? "", () => readMessage(event, identity.bot_user_id).files);
    return inbox.recent.once(claims, () => receive(workspace, { envelope, event }, reception));
  };

  async function receive(
    workspace: WorkspaceContext,
    { envelope, event }: { readonly envelope: SlackEnvelope; readonly event: SlackMessageEvent | undefined },
    { retryStore, traceparent, found }: Parameters<EventIntake>[2],
  ): Promise<IntakeResult> {
    const { identity, policy, policies, clock, limits } = workspace;
    const lookUp: typeof threads.lookUp = (place) => retryStore(() => threads.lookUp(place));
    const head = {
      request_id: randomUUID(),
      correlation_id: randomUUID(),
      received_at: clock.now(),
      traceparent,
      claims: eventClaims(envelope.event_id),
      team_id: identity.team_id,
      org_id: workspaceOf(envelope).org_id,
      teams: teamsOf(envelope, identity),
    };
    const awaitedBy = async (asked: InboxRecord): Promise<readonly InputRequest[]> =>
      asked.kind === "ask" && isOnlyFewWords(asked) ? retryStore(() => inbox.asked.awaitedIn(asked)) : [];
    const isAwaited = async (message: AddressedMessage): Promise<boolean> => {
      const awaited = await awaitedBy(messageRecord("ask", message, head));
      return awaited.some((request) => namedDeciders(request).includes(message.user));
    };
    const wasAsked = async ({ channel, thread_ts }: SlackThread): Promise<boolean> => {
      const claim = messageClaim(identity.team_id, channel, thread_ts);
      return (await retryStore(() => inbox.asked.find(claim))) !== undefined;
    };
    const context = { identity, policy: policy.current(), lookUp, wasAsked, isAwaited };
    const judged = event && (await judgeMessage(event, context));
    if (judged?.kind === "ignored") return { verdict: judged.reason };
    if (judged?.kind === "edit") {
      const taken = await takeEdit(inbox, judged, { head, retryStore });
      if (taken !== undefined) return taken;
      const isYoung = clock.now() - Number(judged.ts) * 1_000 < resentMs;
      if (!judged.addsMention && !(isYoung && (await judged.wasAsking()))) return { verdict: "edited" };
    }
    const meaning = judged?.kind === "edit" ? await judged.judge() : judged;
    if (meaning?.kind === "ignored" || meaning?.kind === "edit") return { verdict: "edited" };
    // What it would stop is over.
    if (meaning?.kind === "stop" && found?.missed !== undefined) return { verdict: "duplicate" };
    const read =
      meaning === undefined
        ? unwrittenRecord(envelope, head, { identity, policy: policy.current() })
        : meaning.kind === "deletion"
          ? await deletionRecord(inbox, meaning, { head, retryStore })
          : messageRecord(meaning.kind, meaning.message, head);
    if (read === undefined) return { verdict: meaning === undefined ? "unknown_event" : "deleted" };
    const { denial } = await retryStore(() => policies.atIntake(read));
    if (denial !== undefined)
      return { verdict: denial.reason === "foreign_author" ? "foreign_author" : "foreign_team" };
    const awaited = found?.missed === undefined ? await awaitedBy(read) : [];
    const { record, queued } =
      read.kind !== "ask"
        ? { record: read }
        : awaited.length > 0
          ? { record: turnedAway(read, { awaits: awaited.map(({ request_id }) => request_id) }) }
          : found === undefined
            ? intoQueue(read, await retryStore(() => inbox.queueIn(read)), limits.MAX_WAITING_PER_THREAD)
            : { record: foundRecord(read, found.missed) };
    const verdict = await retryStore(() => inbox.accept(record));
    if (verdict === "accepted") return { verdict, record, queued };
    // The message itself was stored meanwhile, with its old words.
    if (judged?.kind === "edit") return (await takeEdit(inbox, judged, { head, retryStore })) ?? { verdict };
    if (meaning?.kind !== "deletion") return { verdict, record };
    // The message came first, and has its claim.
    const later = { ...record, claims: [...head.claims, `deleted ${record.claims.at(-1)}`] };
    return { verdict: await retryStore(() => inbox.accept(later)), record };
  }
}

/**
 * Gives a question that waits the words of its edited message, judged like a new one: what asks nothing any more is withdrawn. Resolves with
 * undefined if the message was never asked.
 */
async function takeEdit(
  inbox: Inbox,
  { channel, ts, user, edited_ts, judge }: Edit,
  { head, retryStore }: { readonly head: NewHead; readonly retryStore: StoreRetry },
): Promise<IntakeResult | undefined> {
  const claim = messageClaim(head.team_id, channel, ts);
  const find = () => retryStore(() => inbox.asked.find(claim));
  for (let asked = await find(); asked !== undefined; asked = await find()) {
    if (asked === "over" || asked.record.user_id !== user) return { verdict: "edited" };
    const { record } = asked;
    const meaning = await judge();
    const next = meaning.kind === "ask" ? messageRecord("ask", meaning.message, head) : undefined;
    if (!asked.isWaiting || record.kind !== "ask")
      return { verdict: "edited", record, late: saysSame(record, next) ? undefined : true };
    if (Number(edited_ts) <= Number(record.edited_ts ?? 0)) return { verdict: "duplicate" };
    if (next?.kind !== "ask") {
      const end = endOfEdited(meaning, { record, head, claim });
      return { verdict: await retryStore(() => inbox.accept(end)), record: end };
    }
    const { request_id, correlation_id, claims, received_at, traceparent, late } = record;
    const kept = { request_id, correlation_id, claims, received_at, traceparent, late };
    const amended = { ...next, ...kept, edited_ts };
    if (await retryStore(() => inbox.asked.amend(asked, amended))) return { verdict: "accepted", record: amended };
  }
  return undefined;
}

/** Returns true if an edit changes nothing that an agent reads. */
function saysSame(record: InboxRecord, next: InboxRecord | undefined): boolean {
  const said = (one: InboxRecord | undefined): string =>
    JSON.stringify(one?.kind === "ask" ? [one.text, one.others] : one?.request_id);
  return said(record) === said(next);
}

/** Returns the record that ends a question whose message is none any more: a stop, if it says so, else without a trace. */
function endOfEdited(
  meaning: MessageMeaning,
  { record, head, claim }: { readonly record: Question; readonly head: NewHead; readonly claim: string },
): InboxRecord {
  if (meaning.kind === "stop") return { ...messageRecord("stop", meaning.message, head), claims: head.claims };
  return { ...headOf(record), ...head, kind: "stop", whole_channel: false, written: false, withdraws: claim };
}

/**
 * Returns the record that withdraws the question of a deleted message; undefined if there is none to withdraw. A deletion can arrive before
 * its message: then it has the claim of the message, which is a duplicate from then on.
 */
async function deletionRecord(
  inbox: Inbox,
  { channel, ts, thread_ts = ts, user: user_id = "", mayAsk }: Extract<MessageMeaning, { kind: "deletion" }>,
  { head, retryStore }: { readonly head: NewHead; readonly retryStore: StoreRetry },
): Promise<InboxRecord | undefined> {
  const withdraws = messageClaim(head.team_id, channel, ts);
  const open = await retryStore(() => inbox.asked.openOf(withdraws));
  if (open === undefined ? !mayAsk : open.length === 0) return undefined;
  const place = { channel, thread_ts, in_thread: thread_ts !== ts, user_id, author_teams: [] };
  const claims = [...head.claims, withdraws];
  return { ...head, ...place, claims, kind: "stop", whole_channel: false, written: false, withdraws };
}
