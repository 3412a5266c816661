import type { Part } from "@crosszone/a2a";
import { AssistantError } from "@crosszone/assistant";
import {
  type ErrorKind,
  errorTable,
  type ExecuteTaskParams,
  type TaskState,
  type TaskSucceeded,
  ZoneError,
  type ZoneErrorDetail,
} from "@crosszone/contracts";
import type { LeaseId } from "@crosszone/jobs";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Agent, AgentQuestion } from "../agents/agent.ts";
import type { Conversation } from "../agents/conversations.ts";
import { errorForCallers } from "../store/open-execution-database.ts";

/** The kind of jobs that are tasks, and their share. */
export const taskKind = "task";

/**
 * The final states of a task. Each can follow `working`; all but `success` can follow `submitted`; none has a
 * successor.
 */
const finalStates = ["success", "error", "canceled", "timed_out"] as const satisfies TaskState[];

export type FinalState = (typeof finalStates)[number];

export function isFinal(state: TaskState): state is FinalState {
  return (finalStates as readonly TaskState[]).includes(state);
}

/** The contents of a file that an answer names. */
export interface TaskFileContent {
  readonly id: string;
  /** Base64. */
  readonly bytes: string;
}

/** The end of a task: an answer with its files' contents, or an error. Only a retry of a workflow run changes it. */
export type TaskOutcome = (
  { readonly answer: TaskSucceeded; readonly files?: readonly TaskFileContent[] } | { readonly error: TaskError }
) & {
  /** The message of a program. Kept with the outcome, because the question is deleted. */
  readonly message?: ProgramMessage | undefined;
};

/** Why a task has no answer. Callers get `data`; `detail` is for operators only. */
export interface TaskError {
  readonly kind: ErrorKind;
  readonly data: ZoneErrorDetail;
  /** Without secrets and content. */
  readonly detail?: string;
}

/**
 * The members of `ExecuteTaskParams` that are stored. Excludes `bot_token`, which is stored separately, and unknown
 * members.
 */
export const keptMembers = [
  "channel",
  "text",
  "thread_ts",
  "attachments",
  "team_id",
  "user_id",
  "user_name",
  "has_quotes",
  "others",
  "unreadable",
  "thread",
  "context_id",
  "offered_by",
  "fire_id",
] as const;

/** The stored part of the question. */
export interface TaskParams extends Pick<ExecuteTaskParams, (typeof keptMembers)[number]> {
  /** The message of a program, as it was sent. */
  readonly message?: ProgramMessage;
  /** True if the requester has allowed that this text is asked of this agent, although somebody else wrote it. */
  readonly is_allowed?: boolean;
  /** Names of the agents and workflows that a program may ask, as they were when it asked. */
  readonly agents?: readonly string[];
}

/** A message of a program. Its parts are those of A2A 1.0; MCP sends one part. */
export interface ProgramMessage {
  readonly messageId: string;
  readonly parts: readonly Part[];
  readonly metadata?: object;
}

/** How a program asked. The program itself is the task's `caller`. */
export interface ProgramAsk {
  readonly surface: "a2a" | "mcp";
  /** The program's name for the conversation. */
  readonly context_id: string;
  /** How many zones and agents passed the question on before. */
  readonly hops: number;
  /** The name of the MCP call that asked: whichever process gets its cancellation finds the task by it. */
  readonly call?: string | undefined;
}

/** How a task that waits for people continues. */
export interface PausedTask {
  /** What the agent gave to `TaskPaused`. */
  readonly continuation: unknown;
  readonly text?: string | undefined;
  readonly question?: AgentQuestion | undefined;
  /** Time left until the task's deadline, milliseconds. Waiting for people does not count. */
  readonly remaining_ms: number;
  readonly pauses: number;
  /** See `TaskPaused`. */
  readonly look_again_ms?: number | undefined;
}

export interface Task {
  readonly task_id: string;
  /** The authenticated caller. Other callers can't see the task. */
  readonly caller: string;
  /** The idempotency key: the JSON-RPC id of the request, unique per caller. */
  readonly key: string;
  /** Digest of the question. A second request with the same key must have the same one. */
  readonly fingerprint: string;
  readonly correlation_id: string;
  /** The span of the request. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
  readonly agent: string;
  /** Present when a program asked, not a person. */
  readonly ask?: ProgramAsk;
  /** The question. Absent from a final task, because no one reads it again and it may be a megabyte. */
  readonly params?: TaskParams;
  readonly state: TaskState;
  readonly outcome?: TaskOutcome;
  /** Present once it was paused, until its end. */
  readonly paused?: PausedTask;
}

export type OpenTask = Task & { readonly params: TaskParams };

/** The members of a new task. The store's clock sets its creation time and deadline. */
export interface NewTask extends Omit<OpenTask, "state" | "outcome"> {
  /** Time until its deadline, milliseconds. */
  readonly deadline_ms: number;
  /** The handle of its files. */
  readonly handle?: string;
}

/** A task that this process runs while it holds the lease: a new one, or one with an expired lease of another process. */
export interface LeasedTask extends LeaseId {
  readonly task: OpenTask;
  /** Time left until the deadline, milliseconds; negative after it. */
  readonly remainingMs: number;
  /** The handle of its files; undefined when it was not stored. */
  readonly handle?: string | undefined;
  /** The agent of a new task. */
  readonly agent?: Agent;
  /** The conversation that the task belongs to, if it was read. */
  readonly conversation?: Conversation | undefined;
}

/** How a task ends: its final state, the outcome for callers, and details for the log only. */
export interface TaskEnd {
  readonly state: FinalState;
  readonly outcome: TaskOutcome;
  readonly kind?: ErrorKind;
  readonly cause?: unknown;
}

const endStates: Partial<Record<ErrorKind, FinalState>> = { timeout: "timed_out", canceled: "canceled" };

/** Returns how a task ends after an error. One without a kind becomes what `errorForCallers` says, or `internal` without details. */
export function failureOf({ task_id, correlation_id }: Task, cause: unknown): TaskEnd {
  const known = errorForCallers(cause);
  const { kind, data, cause: inner } = known instanceof ZoneError ? known : new ZoneError("internal");
  const detail = inner instanceof AssistantError ? inner.detail : undefined;
  const error = { kind, data: { ...data, correlation_id, task_id }, detail };
  return { state: endStates[kind] ?? "error", outcome: { error }, kind, cause };
}

export const taskIds = ({ task_id, correlation_id, agent, traceparent }: Task) => ({
  task_id,
  correlation_id,
  agent,
  traceparent,
});

/** Reports the end of a task, once, by the process that ended it. An error is logged nowhere else. */
export function reportEnd(
  emit: Emit<ExecutionEvent>,
  task: Task,
  how: { readonly durationMs: number; readonly kind?: ErrorKind; readonly cause?: unknown },
): void {
  const { durationMs: duration_ms, kind, cause } = how;
  const fields = { ...taskIds(task), state: task.state, duration_ms, kind };
  if (kind === undefined || kind === "canceled") return emit("task_ended", fields);
  emit("task_failed", { ...fields, operation: "run_task", code: errorTable[kind].code, cause });
}

/** Returns what reports that the progress of a task can't be shown. The task and the request go on. */
export const progressFailed =
  (emit: Emit<ExecutionEvent>, task: Task) =>
  (cause: unknown): undefined => {
    emit("task_progress_failed", { ...taskIds(task), cause });
  };
