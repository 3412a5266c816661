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

/** A file of the question: its text, or a sentence that says why it was not read. */
export interface SkillFile {
  readonly name: string;
  readonly text?: string;
  readonly why?: string;
}

/** How many characters of a message skills match against. Keeps every pattern match cheap. */
export const longestPhrase = 1_000;

const opening =
  /^(?:(?:please|pls|hey|hi|hello|ok|so|and|can you|could you|would you|will you|tell me|show me|give me)[ ,]+){1,5}(?=\S)/i;
const closing = /(?:[ ?？。.]|,? please|,? thanks|,? thank you)$/i;

/** Returns a message on one line without greetings and closing marks, at most `longestPhrase` characters, in ASCII where a keyboard has wide ones. */
export function toPhrase(text: string): { readonly phrase: string; readonly isCut: boolean } {
  const said = text.trim().replace(opening, "");
  const narrow = said
    .slice(0, longestPhrase)
    .replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
  let phrase = narrow.replaceAll(/\s+/g, " ").trim();
  while (closing.test(phrase)) phrase = phrase.replace(closing, "");
  return { phrase, isCut: said.length > longestPhrase };
}

export interface BuiltinSkill extends AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Messages that this skill answers. Tests send each of them. */
  readonly examples: string[];
  /**
   * Returns a function that answers in Markdown when the question is for this skill; otherwise undefined, and the next skill is tried. Must be
   * cheap: it runs for every question. Both can throw a `UserMistake`.
   */
  readonly match: (
    phrase: string,
    question: { readonly isCut: boolean; readonly files: readonly SkillFile[] },
  ) => ((context: RunContext) => string | Promise<string>) | undefined;
}

/** The question can't be answered. The message is a plain Markdown sentence for the person. */
export class UserMistake extends Error {
  override readonly name = "UserMistake";
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
