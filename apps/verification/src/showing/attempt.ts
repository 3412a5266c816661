import { randomUUID } from "node:crypto";
import { type Emit, emitWith } from "@crosszone/service-kit";
import type { RetryOptions } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { KnownBlock } from "@slack/web-api";
import type { Inbox } from "../inbox/inbox.ts";
import { headOf, type InboxRecord, type LeasedRecord, type NoticeRecord, type RecordHead } from "../inbox/records.ts";
import type { QuestionTask, QuestionTasks } from "../inbox/running-tasks.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import type { SlackApi, SlackAsker, SlackThread, TaskMark } from "../slack/slack-api.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { channelMention } from "./markdown/neutralise.ts";
import { createMarkedMessages, type MarkedMessages } from "./marked-messages.ts";
import { concernOf, isOrphan, isRefusedForGood, placeReason, type SearchedThread } from "./send-once.ts";
import type { QuestionOutcome } from "./task-outcome.ts";

/** Processes a leased record of one kind. `lease` aborts when another process has the record. */
export type Flow<K extends InboxRecord["kind"]> = (leased: LeasedRecord<K>, lease: AbortSignal) => Promise<void>;

/** Where the records of one workspace are worked on. */
export interface Workplace {
  readonly workspace: WorkspaceContext;
  readonly inbox: Inbox;
  readonly link: ZoneLink;
  readonly running: QuestionTasks;
  /** The Slack channel where operators read what concerns them. */
  readonly operatorChannel?: string | undefined;
  /** Called when the answer to a record is in Slack, with what it is. */
  readonly onPosted?:
    ((record: RecordHead, answer: NonNullable<LeasedRecord["progress"]["answer"]>) => void) | undefined;
}

/** One attempt to answer a question, or to deliver the result of a retried run or of a task that waited. */
export interface Attempt {
  readonly workspace: WorkspaceContext;
  readonly leased: LeasedRecord<"ask"> | LeasedRecord<"failed_run"> | LeasedRecord<"paused_task">;
  /** Aborts when this process must leave the record unchanged. */
  readonly leave: AbortSignal;
  /** The app's messages in the thread of the record. */
  readonly messages: MarkedMessages;
  /** Reports events with the ids of the record. */
  readonly emit: Emit<VerificationEvent>;
  /** When the attempt started, from `performance.now()`. */
  readonly startedAt: number;
}

/** One attempt to answer a question. */
export interface QuestionAttempt extends Attempt {
  readonly leased: LeasedRecord<"ask">;
  readonly task: QuestionTask;
}

/** Starts an attempt, whose events have the ids of its record. */
export function startAttempt<Leased extends Attempt["leased"]>(
  workspace: WorkspaceContext,
  leased: Leased,
  leave: AbortSignal,
): Attempt & { readonly leased: Leased } {
  const { record } = leased;
  const { correlation_id, request_id, traceparent, channel, thread_ts } = record;
  const { slack, identity, clock } = workspace;
  const emit = emitWith(workspace.emit, { correlation_id, request_id, traceparent });
  const after = record.kind === "ask" ? record.ts : undefined;
  const messages = createMarkedMessages({
    slack,
    clock,
    thread: { channel, thread_ts, after },
    leave,
    onRetry: (error, { attempt, waitMs }) => emit("post_retried", { error, attempt, wait_ms: waitMs }),
    adopts: (message) => after !== undefined && isOrphan(message, { identity, after }),
  });
  return { workspace, leased, leave, messages, emit, startedAt: performance.now() };
}

/**
 * Returns the app's direct messages with the record's person, for what Slack refuses in the record's place; undefined if that is their
 * conversation. Rejects with a `SlackCallError`.
 */
export async function directMessages(
  { slack, clock }: WorkspaceContext,
  { channel, user_id, received_at }: RecordHead,
  leave: AbortSignal,
): Promise<MarkedMessages | undefined> {
  if (channel.startsWith("D")) return undefined;
  const after = tsBefore(received_at);
  return createMarkedMessages({ slack, clock, thread: { channel: await slack.openDirect(user_id), after }, leave });
}

/**
 * Tells a person something that only they read: in their place or, if Slack refuses that, in a direct message. Rejects with a `SlackCallError` if
 * neither works.
 */
export async function tellPerson(
  slack: SlackApi,
  place: SlackAsker,
  { text, blocks, ids }: { readonly text: string; readonly blocks?: readonly KnownBlock[]; readonly ids: MarkIds },
): Promise<void> {
  try {
    return await slack.tell(place, text, blocks);
  } catch (failure) {
    if (!isRefusedForGood(failure) || place.channel.startsWith("D")) throw failure;
    const channel = await slack.openDirect(place.user_id);
    const { request_id, correlation_id } = ids;
    await slack.post({ channel }, { text, blocks, mark: { request_id, correlation_id, state: "done" } });
  }
}

type MarkIds = Pick<TaskMark, "request_id" | "correlation_id">;

/**
 * Posts the message that shows what a record asks, once: in its thread, or as the first message of a new one. Where the app can't write, it goes to
 * the person's direct messages. Resolves with its place and its text. Rejects with a `SlackCallError`.
 */
export async function postAnchor(
  { slack, clock, limits }: WorkspaceContext,
  { record, attempt }: LeasedRecord<"fire"> | LeasedRecord<"press">,
  { text, mark, leave }: { readonly text: string; readonly mark: Partial<TaskMark>; readonly leave: AbortSignal },
): Promise<SlackThread & { readonly ts: string; readonly in_thread: boolean; readonly text: string }> {
  const { channel, thread_ts: given, user_id, request_id, correlation_id, received_at } = record;
  const after = tsBefore(received_at);
  const post = async ({ thread_ts, ...place }: SearchedThread, said: string) => {
    const message = { text: said, mark: { request_id, correlation_id, state: "done" as const, ...mark } };
    const messages = createMarkedMessages({ slack, clock, thread: { ...place, thread_ts }, leave });
    const posting = { message, budgetMs: limits.DELIVERY_BUDGET_MS, doubtful: attempt > 1 };
    const { ts } = await messages.post(posting);
    return { channel: place.channel, ts, thread_ts: thread_ts ?? ts, in_thread: thread_ts !== undefined, text: said };
  };
  try {
    return await post(given === "" ? { channel, after } : { channel, thread_ts: given }, text);
  } catch (failure) {
    const concern = concernOf(failure);
    if (concern === undefined || concern === "thread" || channel.startsWith("D")) throw failure;
    const why = `_I can’t write in ${channelMention(channel)}, because ${placeReason(failure)}._`;
    return post({ channel: await slack.openDirect(user_id), after }, `${text}\n${why}`);
  }
}

/** Stores a notice. Of several notices with the same topic for one record, only the first is stored. */
export async function enqueueNotice(
  inbox: Inbox,
  record: InboxRecord,
  notice: Pick<NoticeRecord, "text" | "to"> & { readonly topic?: "queued" | "edited"; readonly place?: SlackThread },
): Promise<void> {
  const { text, to, topic = "notice", place } = notice;
  const head = { ...headOf(record), request_id: randomUUID(), claims: [`${topic} ${record.request_id}`] };
  const elsewhere = place && { ...place, in_thread: false };
  await inbox.accept({ ...head, ...elsewhere, kind: "notice", text, to });
}

/** Stores a notice for the direct messages of a record's person, once for each record. */
export async function tellDirectly({ workspace, inbox }: Workplace, record: InboxRecord, text: string): Promise<void> {
  const place = { channel: await workspace.slack.openDirect(record.user_id), thread_ts: "" };
  await enqueueNotice(inbox, record, { to: "channel", text, place });
}

/** Stores a notice for the operators' channel, if there is one. Of several with the same claim, only the first is stored. */
export async function tellOperators(
  { workspace, inbox, operatorChannel: channel }: Pick<Workplace, "workspace" | "inbox" | "operatorChannel">,
  text: string,
  claim: string,
): Promise<void> {
  if (channel === undefined) return;
  const { clock, identity } = workspace;
  const { team_id, org_id, bot_user_id: user_id } = identity;
  const ids = { request_id: randomUUID(), correlation_id: randomUUID(), claims: [claim], received_at: clock.now() };
  const who = { team_id, org_id, user_id, teams: [team_id], author_teams: [] };
  const place = { channel, thread_ts: "", in_thread: false };
  await inbox.accept({ ...ids, ...who, ...place, kind: "notice", to: "channel", text });
}

/** Returns a timestamp of Slack, whose clock can be behind, from before a time in unix milliseconds. */
export const tsBefore = (ms: number): string => (ms / 1_000 - 300).toFixed(6);

/** Returns a function that reports that a call to execution failed and is retried. */
export function taskRetried({ task, emit }: QuestionAttempt): NonNullable<RetryOptions["onRetry"]> {
  return (error, { attempt, waitMs }) =>
    emit("task_retried", { task_id: task.taskId, error, attempt, wait_ms: waitMs });
}

const endEvents = { done: "task_done", stopped: "task_stopped", paused: "task_paused" } as const;

/** Reports that the question has ended. Its answer is not posted yet. */
export function reportQuestionEnd({ task, emit, startedAt }: QuestionAttempt, outcome: QuestionOutcome): void {
  const fields = { task_id: task.taskId, duration_ms: performance.now() - startedAt };
  if (outcome.state === "failed")
    emit("task_failed", { ...fields, operation: "answer_question", failure: outcome.error });
  else emit(endEvents[outcome.state], fields);
}
