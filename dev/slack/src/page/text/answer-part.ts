import type { Message } from "../../protocol/workspace.ts";

/** The state of an answer, from its stream or the app's mark; `text` is a message of the app with neither. */
export type TaskState = "working" | "done" | "stopped" | "failed" | "text";

/** One message of the app, as part of an answer. */
export interface AnswerPart {
  state: TaskState;
  /** Identifies the answer within its thread; empty if the app's mark has none. */
  task: string;
  /** From 1. */
  part: number;
  parts: number;
}

/**
 * Returns the answer's state in an app's message. A stream in progress is `working`, and a stopped one is `stopped`. Otherwise the mark
 * `metadata.event_type: "crosszone_task"` decides: a placeholder has `state: "working"`, an answer `done`, `stopped` or `failed`, and an answer with
 * several messages has `part` of `parts` in each.
 */
export function answerPart(message: Message): AnswerPart {
  const { event_type, event_payload = {} } = message.metadata ?? {};
  const state = streamState(message);
  if (state !== undefined || event_type !== "crosszone_task")
    return { state: state ?? "text", task: "", part: 1, parts: 1 };
  const { state: marked, request_id, part, parts } = event_payload;
  return {
    state: marked === "working" || marked === "done" || marked === "stopped" ? marked : "failed",
    task: typeof request_id === "string" ? request_id : "",
    part: typeof part === "number" ? part : 1,
    parts: typeof parts === "number" ? parts : 1,
  };
}

/** Returns the state that the stream implies; undefined once it is complete. */
function streamState({ stream }: Message): TaskState | undefined {
  if (stream?.state === "in_progress") return "working";
  return stream?.state === "stopped" ? "stopped" : undefined;
}
