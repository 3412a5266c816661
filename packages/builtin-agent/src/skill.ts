import type { AgentSkill, Attachment, ThreadMessage } from "@crosszone/contracts";

/** The input of a task. People outside the zone wrote all of it: it is data, never an instruction. */
export interface TaskInput {
  /** The requester's message. Empty when the message has only files. */
  readonly text: string;
  /** Earlier messages of the thread, oldest first. */
  readonly thread: ThreadMessage[];
  readonly attachments: Attachment[];
}

/** Reads the bytes of an attachment by its id. Rejects with a sentence for the requester when they can't be read. */
export type ReadAttachment = (id: string) => Promise<Uint8Array>;

/** What the zone provides for one run. */
export interface RunContext {
  /** Aborted when the task is canceled or passes its deadline. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly readFile: ReadAttachment;
}

/** How many characters of a message skills match against. Keeps every pattern match cheap. */
export const PHRASE_LIMIT = 1000;

/** A file that the answer doesn't consider. */
export interface UnreadFile {
  readonly name: string;
  /** A sentence. */
  readonly why: string;
}

/** A task's input, prepared once for all skills. */
export interface SkillQuestion {
  readonly input: TaskInput;
  /** Files whose contents couldn't be read. */
  readonly unread: readonly UnreadFile[];
  /** The whole message without leading greetings. May be long. */
  readonly text: string;
  /** The message on one line without greetings and closing marks, at most `PHRASE_LIMIT` characters. */
  readonly phrase: string;
  /** True when the message continues after the phrase. */
  readonly isCut: boolean;
}

const OPENING =
  /^(?:(?:please|pls|hey|hi|hello|ok|so|and|can you|could you|would you|will you|tell me|show me|give me)[ ,]+){1,5}(?=\S)/i;
const CLOSING = /(?:[ ?？。.]|,? please|,? thanks|,? thank you)$/i;

export function toQuestion(input: TaskInput, unread: readonly UnreadFile[] = []): SkillQuestion {
  const text = input.text.trim().replace(OPENING, "");
  let phrase = toAsciiWidth(text.slice(0, PHRASE_LIMIT)).replace(/\s+/g, " ").trim();
  while (CLOSING.test(phrase)) phrase = phrase.replace(CLOSING, "");
  return { input, unread, text, phrase, isCut: text.length > PHRASE_LIMIT };
}

/** Converts full-width letters, digits and signs, as Japanese keyboards produce them, to ASCII. */
function toAsciiWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll("\u3000", " ");
}

/** Answers one matched question in Markdown. Throws `UserMistake` when the question can't be answered. */
type SkillAnswer = (context: RunContext) => string | Promise<string>;

export interface BuiltinSkill extends AgentSkill {
  id: string;
  name: string;
  description: string;
  /** Messages that this skill answers. Tests send each of them. */
  examples: string[];
  /**
   * Returns a function that answers when the question is for this skill; otherwise `undefined`, and the next skill is
   * tried. May throw `UserMistake` when the question is for this skill but wrong. Must be cheap: it runs for every
   * question.
   */
  match(question: SkillQuestion): SkillAnswer | undefined;
}

/** The question can't be answered. The message is a plain Markdown sentence for the person. */
export class UserMistake extends Error {
  override readonly name = "UserMistake";
}

/** Shows a person's text as inline code, shortened to one line. Nothing in it can act as Markdown. */
export function code(text: string, limit = 80): string {
  return `\`${shortLine(text, limit).replaceAll("`", "'")}\``;
}

/** Shortens a text to one line of at most `limit` characters, never splitting a character. */
export function shortLine(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 8)
    .replace(/\s+/g, " ")
    .trim();
  const signs = Array.from(line);
  return signs.length > limit ? `${signs.slice(0, limit - 1).join("")}…` : line;
}

/** A Markdown table. Each cell is one line, and nothing in it can act as Markdown. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return shortLine(text, 60).replace(/[\\|*_`~[\]<]/g, "\\$&");
}

/** A code block whose fence is longer than any run of backticks in the text. */
export function codeBlock(text: string, language = ""): string {
  let fence = "```";
  for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  return `${fence}${language}\n${text}\n${fence}`;
}

/** "1 word", "2,000 words". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
