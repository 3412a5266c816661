import { isObject, type JsonObject, listAt, memberOf } from "@crosszone/a2a";
import { AgentFailure, type NormalizedResult } from "@crosszone/agent-bridge/wire";

/** A file in an answer. The contents are not kept. */
export interface AnswerFile {
  readonly name: string;
  readonly media_type: string;
}

/** An agent's answer to one message. */
export interface AgentAnswer {
  /** `completed`, `failed`, `canceled`, `rejected`, `input-required`, `auth-required`; `error` when the response can't be read. */
  readonly state: string;
  /** The text for a person: the answer, the question, or why there is none. */
  readonly text: string;
  /** The contents of its data parts, in order. */
  readonly data: readonly unknown[];
  readonly files: readonly AnswerFile[];
  /** The agent's id of the task, when the next message continues it. */
  readonly openTaskId?: string;
}

const states: Readonly<Record<string, string>> = {
  task_failed: "failed",
  task_canceled: "canceled",
  task_rejected: "rejected",
  input_required: "input-required",
  auth_required: "auth-required",
};

/** Returns what a result means to a person. */
export function answerOf({ error, output }: NormalizedResult): AgentAnswer {
  if (error === null) return { state: "completed", text: textOf(output), ...contentsOf(output) };
  const data = (error.data ?? {}) as { readonly agent_says?: unknown; readonly task_id?: unknown };
  const state = states[error.kind] ?? "error";
  const isOpen = (state === "input-required" || state === "auth-required") && typeof data.task_id === "string";
  return {
    state,
    text: typeof data.agent_says === "string" ? data.agent_says : error.message,
    ...contentsOf(data),
    ...(isOpen && { openTaskId: data.task_id }),
  };
}

/** Returns the answer of an agent that gave none that can be read. */
export function unreadAnswer(error: unknown): AgentAnswer {
  const text = error instanceof AgentFailure || error instanceof Error ? error.message : String(error);
  return { state: "error", text, data: [], files: [] };
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  return ["text", "response"].map((name) => memberOf(output, name)).find((said) => typeof said === "string") ?? "";
}

function contentsOf(output: unknown): Pick<AgentAnswer, "data" | "files"> {
  const holders = [...listAt(output, "artifacts"), memberOf(output, "message")];
  const parts = holders.flatMap((holder) => listAt(holder, "parts")).filter(isObject);
  return {
    data: parts.filter(({ kind }) => kind === "data").map(({ data }) => data),
    files: parts.filter(({ kind }) => kind === "file").map(fileOf),
  };
}

function fileOf({ file }: JsonObject): AnswerFile {
  const [name, mimeType] = ["name", "mimeType"].map((member) => memberOf(file, member));
  return {
    name: typeof name === "string" ? name : "",
    media_type: typeof mimeType === "string" ? mimeType : "application/octet-stream",
  };
}
