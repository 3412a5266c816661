import type { Message } from "../../control/protocol.ts";

/** What the app marked its message with; `text` is a message of the app without the mark. */
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
 * Reads the mark `metadata.event_type: "crosszone_task"` of an app's message: its placeholder says `state: "working"`,
 * its answer `done` or `failed`, and an answer in several messages has `part` of `parts` in each.
 */
export function answerPart(message: Message): AnswerPart {
  const { event_type, event_payload = {} } = message.metadata ?? {};
  if (event_type !== "crosszone_task") return { state: "text", task: "", part: 1, parts: 1 };
  const { state, request_id, part, parts } = event_payload;
  return {
    state: state === "working" || state === "done" ? state : "failed",
    task: typeof request_id === "string" ? request_id : "",
    part: typeof part === "number" ? part : 1,
    parts: typeof parts === "number" ? parts : 1,
  };
}
