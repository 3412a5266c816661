import type { ErrorKind, ExecuteTaskParams, TaskState, TaskSucceeded, ZoneErrorDetail } from "@crosszone/contracts";

/** How a task ended: with an answer, or with an error that each asker is given again. */
export type TaskOutcome = { answer: TaskSucceeded } | { error: { kind: ErrorKind; data: ZoneErrorDetail } };

/** The members of `ExecuteTaskParams` that are kept. Not `bot_token`, which the run is given by itself, and nothing that is not named. */
export const keptMembers = ["channel", "text", "thread_ts", "attachments", "team_id", "user_id", "thread"] as const;

/** What was asked, as it may be kept. */
export type TaskParams = Pick<ExecuteTaskParams, (typeof keptMembers)[number]>;

/** A task as the store keeps it. Times are Unix milliseconds. */
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
  readonly created_at: number;
  readonly deadline_at: number;
  readonly finished_at?: number;
  readonly outcome?: TaskOutcome;
}

/** A task that has not ended. */
export type OpenTask = Task & { readonly params: TaskParams };

/** What a new task is made of; the store adds its id and its state. */
export type NewTask = Omit<OpenTask, "task_id" | "state" | "finished_at" | "outcome">;
