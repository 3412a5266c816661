import { type Emit, emitWith } from "@crosszone/service-kit";
import type { RetryOptions } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { LeasedRecord } from "../inbox/records.ts";
import type { QuestionTask } from "../inbox/running-tasks.ts";
import type { SlackThread, TaskMark } from "../slack/slack-api.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { channelMention } from "./markdown/neutralise.ts";
import { createMarkedMessages, type MarkedMessages, tsBefore } from "./marked-messages.ts";
import { concernOf, isOrphan, placeReason, type SearchedThread } from "./send-once.ts";
import type { QuestionOutcome } from "./task-outcome.ts";

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
