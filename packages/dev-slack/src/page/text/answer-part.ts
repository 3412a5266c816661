import type { Message } from "../../control/protocol.ts";

/** Where an answer stands, by its stream or by the app's mark; `text` is a message of the app with neither. */
export type TaskState = "working" | "done" | "failed" | "text";

/** One message of the app as a piece of an answer. */
export interface AnswerPart {
  state: TaskState;
  /** Tells the answers in one thread apart; empty when the app names none. */
  task: string;
  /** From 1. */
  part: number;
  parts: number;
}

/**
 * Reads what an app's message says of the answer. A stream in progress is `working`, and one that a person stopped is `failed`. Else the
 * mark `metadata.event_type: "crosszone_task"` says it: a placeholder has `state: "working"`, an answer `done` or `failed`, and an answer
 * in several messages has `part` of `parts` in each.
 */
export function answerPart(message: Message): AnswerPart {
  const { event_type, event_payload = {} } = message.metadata ?? {};
  const state = streamState(message);
  if (state !== undefined || event_type !== "crosszone_task")
    return { state: state ?? "text", task: "", part: 1, parts: 1 };
  const { state: marked, request_id, part, parts } = event_payload;
  return {
    state: marked === "working" || marked === "done" ? marked : "failed",
    task: typeof request_id === "string" ? request_id : "",
    part: typeof part === "number" ? part : 1,
    parts: typeof parts === "number" ? parts : 1,
  };
}

/** What the stream says of the answer; nothing once it is complete. */
function streamState({ stream }: Message): TaskState | undefined {
  if (stream?.state === "in_progress") return "working";
  return stream?.state === "stopped" ? "failed" : undefined;
}
