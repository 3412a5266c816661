import type { ErrorKind, ExecuteTaskParams, TaskState, TaskSucceeded, ZoneErrorDetail } from "@crosszone/contracts";

/** The contents of a file that an answer names. */
export interface TaskFileContent {
  readonly id: string;
  /** Base64. */
  readonly bytes: string;
}

/** An answer and the contents of its files. */
export interface TaskSuccess {
  readonly answer: TaskSucceeded;
  readonly files?: readonly TaskFileContent[];
}

/** How a task ended: with an answer and the contents of its files, or with an error. Each caller that polls gets the same. */
export type TaskOutcome = TaskSuccess | { error: { kind: ErrorKind; data: ZoneErrorDetail } };

/** The members of `ExecuteTaskParams` that are kept. Not `bot_token`, which is kept apart, and nothing that is not named. */
export const keptMembers = [
  "channel",
  "text",
  "thread_ts",
  "attachments",
  "team_id",
  "user_id",
  "thread",
  "context_id",
] as const;

/** What was asked, as it may be kept. */
export type TaskParams = Pick<ExecuteTaskParams, (typeof keptMembers)[number]>;

/** A task as the store keeps it. */
export interface Task {
  readonly task_id: string;
  /** Who asked; nobody else can see the task. */
  readonly caller: string;
  /** The idempotency key: the JSON-RPC id of the request, unique per caller. */
  readonly key: string;
  /** Tells whether a second request with the same key asks for the same thing. */
  readonly fingerprint: string;
  readonly correlation_id: string;
  /** The span that asked for it. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
  readonly agent: string;
  /** What was asked. A final task has none: nobody reads it again, and it may be a megabyte. */
  readonly params?: TaskParams;
  readonly state: TaskState;
  readonly outcome?: TaskOutcome;
}

/** A task that has not ended. */
export type OpenTask = Task & { readonly params: TaskParams };

/** What a new task is made of. The store's clock says when it was made and when its time is over. */
export interface NewTask extends Omit<OpenTask, "state" | "outcome"> {
  /** How long it may take, milliseconds. */
  readonly deadline_ms: number;
  /** What opens its files. */
  readonly handle?: string;
}

/** A task that one process runs, for as long as its lease is held. */
export interface HeldTask {
  readonly task: OpenTask;
  /** From 1; with its owner it tells one lease from every other. */
  readonly attempt: number;
}

/** A task that was taken from a process which holds it no more. */
export interface TakenTask extends HeldTask {
  /** What is left of its time, milliseconds; negative when it is over. */
  readonly remainingMs: number;
  /** What opens its files; nothing when it was not kept. */
  readonly handle?: string;
}
