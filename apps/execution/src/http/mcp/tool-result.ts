import type { InputRequest, TaskFile, ZoneError } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { type AskedTask, decidersSentence } from "../../ask/asked-task.ts";
import { isFinal } from "../../tasks/task.ts";
import { canAnswer } from "./elicitation.ts";
import { errorWords } from "./error-words.ts";
import { plainText } from "./plain-text.ts";

/** The largest file that a result contains, bytes. */
const mostFileBytes = 1_000_000;

/** Returns the result of a tool for a task: its answer, its error, or what it waits for. */
export function resultOf(task: AskedTask, actor: string): CallToolResult {
  if (task.answer !== undefined) return answerOf(task, task.answer);
  if (!isFinal(task.state)) {
    const inputs = task.inputs.map((input) => shownInput(input, actor));
    return taskResult(task, { text: openWords(task, actor), more: inputs.length === 0 ? {} : { inputs } });
  }
  const { kind, data } = task.error ?? { kind: "internal", data: {} };
  return { ...taskResult(task, { text: errorWords(kind, data), more: { error: kind } }), isError: true };
}

/** Returns the result of a call that failed. */
export function failureOf({ kind, data }: ZoneError): CallToolResult {
  const text = errorWords(kind, data);
  return { isError: true, content: [{ type: "text", text }], structuredContent: { error: kind, text } };
}

function answerOf(task: AskedTask, answer: NonNullable<AskedTask["answer"]>): CallToolResult {
  const { response_text: text, follow_ups, files: named = [] } = answer;
  const files = named.map((file) => fileOf(task, file));
  const left = named
    .filter((_, index) => files[index]?.block === undefined)
    .map(({ name, size }) => `${name} (${size} bytes)`);
  const notes = left.length > 0 ? [`Files that are too large to include: ${left.join(", ")}.`] : [];
  const more = {
    ...(files.length > 0 && { files: files.map(({ file }) => file) }),
    ...(notes.length > 0 && { notes }),
    ...(follow_ups !== undefined && { follow_ups }),
  };
  return taskResult(task, { text, more, notes, blocks: files.flatMap(({ block }) => block ?? []) });
}

/**
 * Some clients show a model only the content of a result, others only the structured content. So each of them contains the text and the ids.
 */
function taskResult(
  { task_id, ask: { context_id }, state }: AskedTask,
  {
    text,
    more,
    notes = [],
    blocks = [],
  }: {
    readonly text: string;
    readonly more: Readonly<Record<string, unknown>>;
    readonly notes?: readonly string[];
    readonly blocks?: readonly ContentBlock[];
  },
): CallToolResult {
  const ids = `(task_id: ${task_id}, context_id: ${context_id}, state: ${state})`;
  return {
    content: [{ type: "text", text }, ...blocks, { type: "text", text: [...notes, ids].join("\n") }],
    structuredContent: { task_id, context_id, state, text, ...more },
  };
}

interface ShownFile {
  readonly file: Readonly<Record<string, unknown>>;
  /** Absent when the file is too large. */
  readonly block?: ContentBlock;
}

function fileOf({ task_id, files = [] }: AskedTask, { id, name, media_type, size }: TaskFile): ShownFile {
  const bytes = files.find((content) => content.id === id)?.bytes;
  const file = { name, media_type, size };
  if (bytes === undefined || size > mostFileBytes) return { file };
  const uri = `crosszone://tasks/${task_id}/files/${id}/${encodeURIComponent(name)}`;
  const isText = /^text\/|^application\/(json|xml|yaml)$|\+(json|xml)$/.test(media_type);
  const text = isText ? Buffer.from(bytes, "base64").toString() : undefined;
  const content = text === undefined ? { blob: bytes } : { text };
  return {
    file: text === undefined ? file : { ...file, text },
    block: { type: "resource", resource: { uri, mimeType: media_type, ...content } },
  };
}

/** Returns in words how a program gets the result of a task that has not ended. */
export function openWords(task: AskedTask, actor: string): string {
  const { task_id, inputs } = task;
  const later = `Call get_task with task_id "${task_id}" to get the result.`;
  if (inputs.length === 0) return `The task is still running. ${later} It waits up to 25 seconds for it.`;
  const asked = inputs.map((input) => inputWords(input, task, actor));
  return `The task waits for ${inputs.length === 1 ? "an answer" : `${inputs.length} answers`}.\n\n${asked.join("\n\n")}\n\n${later}`;
}

function inputWords(input: InputRequest, task: AskedTask, actor: string): string {
  const { request_id, title, body, agent } = input;
  const asked = `${plainText(agent, 100)} asks: ${plainText(title, 200)}${body === undefined ? "" : `\n${plainText(body, 2_000)}`}`;
  const call = `call answer_input with task_id "${task.task_id}", request_id "${request_id}"`;
  if (canAnswer(input, actor)) return `${asked}\nAsk your person, then ${call} and ${valueWords(input)}.`;
  return `${asked}\n${plainText(decidersSentence(input), 2_000)} You can't answer it.`;
}

function valueWords({ kind, options = [], schema, action }: InputRequest): string {
  if (kind === "approve") {
    const digest = action === undefined ? "" : ` and digest "${action.digest}"`;
    return `verdict "approve"${digest}, or verdict "deny"`;
  }
  if (kind === "text") return "the text as value";
  if (kind === "form") return `values for this schema: ${showUnseen(JSON.stringify(schema))}`;
  return `one of these as value: ${options.map(({ value, label }) => `"${showUnseen(value)}" (${plainText(label, 100)})`).join(", ")}`;
}

/** Returns an input request as a program sees it. */
function shownInput(input: InputRequest, actor: string) {
  const { request_id, kind, title, body, action, options, schema, expires_at } = input;
  return {
    request_id,
    kind,
    title,
    expires_at,
    yours: canAnswer(input, actor),
    body,
    action,
    options,
    schema,
  };
}
