import type { Message } from "../../protocol/workspace.ts";
import { type Block, listOf, stringOf } from "./block-element.ts";
import type { Names } from "./names.ts";
import { richTextWords } from "./rich-text.ts";

/** The data of an agent's task card. */
export interface TaskCard {
  title: string;
  status: TaskStatus;
  /** Plain text; empty when there is none. */
  details: string;
  output: string;
  sources: { text: string; url: string }[];
}

export type TaskStatus = "pending" | "in_progress" | "complete" | "error";

/** A sign for each status that is readable without color. */
export const taskMarks: Readonly<Record<TaskStatus, string>> = {
  pending: "○",
  in_progress: "◐",
  complete: "✓",
  error: "✗",
};

const noNames: Names = new Map();

/** Reads a `task_card` block, with defaults for missing members. See https://docs.slack.dev/reference/block-kit/blocks/task-card-block */
export function taskCardOf(block: unknown): TaskCard {
  const { title, status, details, output, sources } = (block ?? {}) as Block;
  const isKnown = typeof status === "string" && Object.hasOwn(taskMarks, status);
  return {
    title: stringOf(title),
    status: isKnown ? (status as TaskStatus) : "pending",
    details: richTextWords(details, noNames),
    output: richTextWords(output, noNames),
    sources: listOf(sources).map(({ text, url }) => ({ text: stringOf(text), url: stringOf(url) })),
  };
}

/** The state of an answer, from its stream or the app's mark; `text` is a message of the app with neither. */
type TaskState = "working" | "done" | "stopped" | "failed" | "text";

/** One message of the app, as part of an answer. */
export interface AnswerPart {
  state: TaskState;
  /** Identifies the answer within its thread; empty if the app's mark has none. */
  task: string;
  /** From 1. */
  part: number;
  parts: number;
  /** Number of input requests that the thread shows in further messages. */
  inputs: number;
  /** Number of files that follow in the thread, unless a message of the answer says that one does not. */
  files: number;
  /** True for the message of an input request, which is no part of the answer. */
  isInput: boolean;
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
    return { state: state ?? "text", task: "", part: 1, parts: 1, inputs: 0, files: 0, isInput: false };
  const { state: marked, request_id, part, parts, inputs, files } = event_payload;
  return {
    state: marked === "working" || marked === "done" || marked === "stopped" ? marked : "failed",
    task: stringOf(request_id),
    part: typeof part === "number" ? part : 1,
    parts: typeof parts === "number" ? parts : 1,
    inputs: typeof inputs === "number" ? inputs : 0,
    files: typeof files === "number" ? files : 0,
    isInput: stringOf(request_id).startsWith("input:"),
  };
}

/** Returns the state that the stream implies; undefined once it is complete. */
function streamState({ stream }: Message): TaskState | undefined {
  if (stream?.state === "in_progress") return "working";
  return stream?.state === "stopped" ? "stopped" : undefined;
}
