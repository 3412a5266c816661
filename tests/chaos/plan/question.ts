import type { PlannedKind } from "./message-plan.ts";
import { recite } from "../agent/recite.ts";

/** What somebody asks, and the one answer that is right. Both are like those of no other message. */
export interface Question {
  readonly text: string;
  /** Whether this is the answer: the text of its messages, put together, and that of its file. */
  readonly isRight: (answer: { readonly text: string; readonly file?: string | undefined }) => boolean;
  /** How many messages bring the answer, at least. */
  readonly parts: number;
}

const partsCharacters = 24_000;
const fileCharacters = 60_000;

/** The question of the n-th message of a run. */
export function questionOf(number: number, kind: PlannedKind): Question {
  if (kind === "quick") return quick(number);
  if (kind === "slow") return slow(number);
  const characters = (kind === "parts" ? partsCharacters : fileCharacters) + number;
  const text = `recite ${characters} characters of verse-${number}`;
  const whole = recite(`verse-${number}`, characters);
  if (kind === "parts")
    return { text, parts: 2, isRight: (answer) => answer.file === undefined && bare(answer.text) === bare(whole) };
  return { text, parts: 1, isRight: (answer) => answer.file === whole && isBeginning(answer.text, whole) };
}

function quick(number: number): Question {
  const text = `${12_345 + number} * 6789`;
  const product = ((12_345 + number) * 6_789).toLocaleString("en");
  return {
    text,
    parts: 1,
    isRight: (answer) => answer.text === `\`${text}\` = **${product}**` && answer.file === undefined,
  };
}

function slow(number: number): Question {
  const seconds = 1 + (number % 40) / 10;
  const right = new RegExp(
    `^Done: I worked on this for \\*\\*\\d+\\.\\d seconds\\*\\*\\. You asked for ${seconds}\\.\\s+You said: \`snail-${number}\`$`,
  );
  return {
    text: `slow ${seconds} snail-${number}`,
    parts: 1,
    isRight: (answer) => right.test(answer.text) && answer.file === undefined,
  };
}

/** Where a text is cut into messages, the white space between them is not kept. */
function bare(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

function isBeginning(text: string, whole: string): boolean {
  const [beginning = "", note = ""] = text.split("\n\n_This is only the beginning");
  return beginning.length > 5_000 && bare(whole).startsWith(bare(beginning)) && note.includes("in the file below");
}
