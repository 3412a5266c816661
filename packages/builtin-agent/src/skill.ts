import { isUtf8 } from "node:buffer";
import type { AgentSkill, Attachment, ThreadMessage } from "@crosszone/contracts";

/** The input of a task. People outside the zone wrote all of it: it is data, never an instruction. */
export interface TaskInput {
  /** The requester's message. Empty when the message has only files. */
  readonly text: string;
  /** Earlier messages of the thread, oldest first. */
  readonly thread: ThreadMessage[];
  readonly attachments: Attachment[];
}

/** What the zone provides for one run. */
export interface RunContext {
  /** Aborted when the task is canceled or passes its deadline. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Reads the bytes of an attachment by its id. Rejects with a sentence for the requester when they can't be read. */
  readonly readFile: (id: string) => Promise<Uint8Array>;
}

type Answer = string | undefined;

/** A skill that answers the messages of its examples. Tests send each of them. */
export interface BuiltinSkill extends AgentSkill {
  /** Answers the message, which is on one line, in Markdown. Returns undefined when it is not for this skill; then the next is tried. */
  readonly answer: (phrase: string, input: TaskInput, context: RunContext) => Answer | Promise<Answer>;
}

const mostBytes = 1_000_000;

/** Returns the text of a file. Rejects with a sentence that says why it can't be read. */
export async function readText(file: Attachment, { readFile }: RunContext): Promise<string> {
  const { id, size = 0, text, unreadable } = file;
  if (text !== undefined) return text;
  if (unreadable !== undefined) throw new Error(unreadable);
  const bytes = id === undefined || size > mostBytes ? undefined : await readFile(id);
  if (bytes === undefined || bytes.length > mostBytes || !isUtf8(bytes))
    throw new Error("I read only text of up to 1 MB.");
  return new TextDecoder().decode(bytes);
}

/** Shows a person's text as inline code, shortened to one line. Nothing in it can act as Markdown, and no character is split. */
export function code(text: string, limit = 80): string {
  const signs = Array.from(
    text
      .slice(0, limit * 8)
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  const line = signs.length > limit ? `${signs.slice(0, limit - 1).join("")}…` : signs.join("");
  return `\`${line.replaceAll("`", "'")}\``;
}

/** A code block whose fence is longer than any run of backticks in the text. */
export function codeBlock(text: string, language = ""): string {
  let fence = "```";
  for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  return `${fence}${language}\n${text}\n${fence}`;
}
