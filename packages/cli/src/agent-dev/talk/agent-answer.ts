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
  const { text, response } = (output ?? {}) as { readonly text?: unknown; readonly response?: unknown };
  return [text, response].find((said) => typeof said === "string") ?? "";
}

interface Part {
  readonly kind?: unknown;
  readonly data?: unknown;
  readonly file?: { readonly name?: unknown; readonly mimeType?: unknown };
}

function contentsOf(output: unknown): Pick<AgentAnswer, "data" | "files"> {
  const { artifacts = [], message } = (output ?? {}) as { readonly artifacts?: unknown; readonly message?: unknown };
  const holders = [...(Array.isArray(artifacts) ? artifacts : []), message];
  const parts = holders.flatMap((holder) => {
    const { parts: all } = (holder ?? {}) as { readonly parts?: unknown };
    return Array.isArray(all) ? (all as readonly (Part | null)[]) : [];
  });
  return {
    data: parts.flatMap((part) => (part?.kind === "data" ? [part.data] : [])),
    files: parts.flatMap((part) => (part?.kind === "file" ? [fileOf(part)] : [])),
  };
}

function fileOf({ file }: Part): AnswerFile {
  const { name, mimeType } = file ?? {};
  return {
    name: typeof name === "string" ? name : "",
    media_type: typeof mimeType === "string" ? mimeType : "application/octet-stream",
  };
}
