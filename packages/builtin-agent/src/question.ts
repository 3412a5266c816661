import type { TaskInput } from "./agent.ts";
import type { UnreadFile } from "./documents/read-attachments.ts";

/** How many characters of a message skills match against. Keeps every pattern match cheap. */
export const PHRASE_LIMIT = 1000;

/** A task's input, prepared once for all skills. */
export interface Question {
  readonly input: TaskInput;
  /** Files whose contents couldn't be read. */
  readonly unread: readonly UnreadFile[];
  /** The time of the question. */
  readonly now: Date;
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

export function toQuestion(input: TaskInput, now: Date, unread: readonly UnreadFile[] = []): Question {
  const text = input.text.trim().replace(OPENING, "");
  let phrase = toAsciiWidth(text.slice(0, PHRASE_LIMIT)).replace(/\s+/g, " ").trim();
  while (CLOSING.test(phrase)) phrase = phrase.replace(CLOSING, "");
  return { input, unread, now, text, phrase, isCut: text.length > PHRASE_LIMIT };
}

/** Converts full-width letters, digits and signs, as Japanese keyboards produce them, to ASCII. */
function toAsciiWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll("\u3000", " ");
}
