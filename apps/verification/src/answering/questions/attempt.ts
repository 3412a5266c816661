import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import { type Emit, emitWith } from "@crosszone/service-kit";
import type { RetryOptions } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { InboxRecord, LeasedRecord, NoticeRecord, Question, RecordHead } from "../../inbox/records.ts";
import type { Judgment } from "../../policy/policies.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";
import { createMarkedMessages, type MarkedMessages } from "../posting/marked-messages.ts";
import type { EditPace } from "../posting/step-display.ts";
import type { StreamStarts } from "../streams/start-streams.ts";
import { isOrphan } from "../posting/stream-trouble.ts";
import type { Pressers } from "../presses/pressers.ts";
import type { RunningTask, RunningTasks } from "../tasks/running-tasks.ts";
import type { TaskOutcome } from "./task-outcome.ts";

/** Processes a leased record of one kind. `lease` aborts when another process has the record. */
export type Flow<K extends InboxRecord["kind"]> = (leased: LeasedRecord<K>, lease: AbortSignal) => Promise<void>;

/** Stores a notice in the inbox. Of several notices with the same topic for one record, only the first is stored. */
export type EnqueueNotice = (
  record: InboxRecord,
  notice: { readonly text: string; readonly to: NoticeRecord["to"]; readonly topic?: "notice" | "queued" },
) => Promise<void>;

/** What answers the questions of all workspaces. */
export interface ZoneAnswering extends Pick<
  ZoneParts,
  "inbox" | "ratings" | "policy" | "limits" | "clock" | "newId" | "emit" | "recordAct"
> {
  readonly zone: Client<ZoneMethods>;
  readonly running: RunningTasks;
  readonly enqueueNotice: EnqueueNotice;
  /** Stores that a question's run failed, so that its thread gets the result of a retry. Does nothing for other errors. */
  readonly watchFailedRun: (record: RecordHead, error: unknown) => Promise<void>;
  /** Answers presses. */
  readonly pressers: Pressers;
  /** Takes over work that nothing awaits. The work never rejects. */
  readonly background: (work: Promise<void>) => void;
}

/** What answers the questions of one workspace. */
export interface Answering extends ZoneAnswering {
  readonly workspace: WorkspaceContext;
  readonly pace: EditPace;
  /** Answers are not streamed when absent. */
  readonly streams?: StreamStarts;
  /** Judges the files of a question, which may be known later than the question. */
  readonly judgeFiles: (record: Question) => Promise<Judgment>;
}

/** One attempt to answer a question, or to deliver the result of a retried run or of a task that waited. */
export interface Attempt {
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
  readonly task: RunningTask;
}

/** Starts an attempt, whose events have the ids of its record. */
export function startAttempt<Leased extends Attempt["leased"]>(
  { workspace, clock, emit: report }: Answering,
  leased: Leased,
  leave: AbortSignal,
): Attempt & { readonly leased: Leased } {
  const { record } = leased;
  const { correlation_id, request_id, traceparent, channel, thread_ts } = record;
  const { slack, identity } = workspace;
  const emit = emitWith(report, { correlation_id, request_id, traceparent });
  const after = record.kind === "ask" ? record.ts : undefined;
  const messages = createMarkedMessages({
    slack,
    clock,
    thread: { channel, thread_ts, after },
    leave,
    onRetry: (error, { attempt, waitMs }) => emit("post_retried", { error, attempt, wait_ms: waitMs }),
    adopts: (message) => after !== undefined && isOrphan(message, { identity, after }),
  });
  return { leased, leave, messages, emit, startedAt: performance.now() };
}

/**
 * Returns the app's direct messages with the record's person, for what Slack refuses in the record's place; undefined if that is their
 * conversation. Rejects with a `SlackCallError`.
 */
export async function directMessages(
  { workspace: { slack }, clock }: Pick<Answering, "workspace" | "clock">,
  { channel, user_id, received_at }: RecordHead,
  leave: AbortSignal,
): Promise<MarkedMessages | undefined> {
  if (channel.startsWith("D")) return undefined;
  const after = tsBefore(received_at);
  return createMarkedMessages({ slack, clock, thread: { channel: await slack.openDirect(user_id), after }, leave });
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
export function reportEnd({ task, emit, startedAt }: QuestionAttempt, outcome: TaskOutcome): void {
  const fields = { task_id: task.taskId, duration_ms: performance.now() - startedAt };
  if (outcome.state === "failed")
    emit("task_failed", { ...fields, operation: "answer_question", failure: outcome.error });
  else emit(endEvents[outcome.state], fields);
}
