const states = ["WORKING", "INPUT_REQUIRED", "AUTH_REQUIRED", "COMPLETED", "FAILED", "CANCELED"] as const;

/** The states of A2A 1.0 that a task of this package can have. */
export type TaskState = `TASK_STATE_${(typeof states)[number]}`;

/** All states of A2A 1.0. */
export type AnyTaskState = TaskState | `TASK_STATE_${"SUBMITTED" | "REJECTED"}`;

export const isTaskState = (state: string): state is AnyTaskState =>
  [...states, "SUBMITTED", "REJECTED"].some((each) => state === `TASK_STATE_${each}`);

/** Exactly one of `text`, `raw` (base64), `url` and `data`. */
export interface Part {
  readonly text?: string;
  readonly raw?: string;
  readonly url?: string;
  readonly data?: unknown;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: object;
}

export interface WireMessage {
  readonly messageId: string;
  readonly role: "ROLE_USER" | "ROLE_AGENT";
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: object;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

export interface TaskStatus {
  readonly state: TaskState;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly message?: WireMessage;
}

export interface Artifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly parts: readonly Part[];
}

export interface WireTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly WireMessage[];
  readonly metadata?: object;
}

interface StatusUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly metadata?: object;
}

export interface ArtifactUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk?: true;
}

/** An event of a stream, in the JSON of A2A 1.0. */
export type StreamEvent =
  { readonly task: WireTask } | { readonly statusUpdate: StatusUpdate } | { readonly artifactUpdate: ArtifactUpdate };

/** Whether a task in this state never changes again. */
export const isTerminal = (state: TaskState): boolean =>
  state !== "TASK_STATE_WORKING" && state !== "TASK_STATE_INPUT_REQUIRED" && state !== "TASK_STATE_AUTH_REQUIRED";

/** Returns a message of an agent in its task. */
export const agentMessage = (
  task: { readonly taskId: string; readonly contextId: string },
  messageId: string,
  parts: readonly Part[],
): WireMessage => ({ messageId, role: "ROLE_AGENT", parts, ...task });
