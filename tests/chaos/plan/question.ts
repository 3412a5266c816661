import { hash } from "node:crypto";
import { bracketWorkflows } from "../../harness/bracket-workflows.ts";
import { askOf, askWorkflow } from "./ask-plan.ts";
import type { PlannedKind } from "./message-plan.ts";
import { recite } from "../stand-ins/with-recitals.ts";

/** A question and its only correct answer. Both differ from those of all other messages. */
export interface Question {
  readonly text: string;
  /** Returns whether this answer is correct: the joined text of its messages, and the text of its file. */
  readonly isRight: (answer: { readonly text: string; readonly file?: string | undefined }) => boolean;
  /** Minimum number of messages of the answer. */
  readonly parts: number;
  /** Exact text of the answer, if it is known. */
  readonly whole?: string;
  /** Content of the attached file. */
  readonly attached?: string;
  /** How the answer's messages may end. Default: done. */
  readonly ends?: readonly string[];
}

const partsCharacters = 24_000;
const fileCharacters = 60_000;
const streamedCharacters = 4_000;

/** Returns the question of a message. */
export function questionOf(number: number, kind: PlannedKind): Question {
  if (kind === "quick") return quick(number);
  if (kind === "slow") return slow(number);
  if (kind === "streamed") return streamed(number);
  if (kind === "attached") return attached(number);
  if (kind === "agent") return literal(`ask newer: pebble-${number}`, `**newer**\n\n(pebble-${number})`);
  if (kind === "run") return ofRun(number);
  if (kind === "asks" || kind === "left") return asking(number, kind);
  if (kind === "fails") return { ...literal(`break pebble-${number}`, ""), ends: ["failed"], isRight: isFailure };
  if (kind === "list") return { ...literal("agents", ""), isRight: ({ text }) => text.includes("ask newer:") };
  if (kind === "denied") return { ...quick(number), isRight: () => false };
  if (kind === "stopped") return stopped(number);
  const characters = (kind === "parts" ? partsCharacters : fileCharacters) + number;
  const text = `recite ${characters} characters of verse-${number}`;
  const whole = recite(`verse-${number}`, characters);
  if (kind === "parts") return { text, parts: 2, whole, isRight: (answer) => isText(answer, whole) };
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

const literal = (text: string, whole: string): Question => ({
  text,
  parts: 1,
  whole,
  isRight: (answer) => answer.text === whole && answer.file === undefined,
});

/** Uses the workflows round robin. */
function ofRun(number: number): Question {
  const { definition, output } = bracketWorkflows[
    number % bracketWorkflows.length
  ] as (typeof bracketWorkflows)[number];
  const whole = output(`pebble-${number}`);
  const text = `run ${definition.workflow_id}: pebble-${number}`;
  return {
    ...literal(text, whole),
    isRight: (answer) => withoutSteps(answer.text) === whole && answer.file === undefined,
  };
}

/** The answer is that of the agent, or says why it did not act. */
function asking(number: number, kind: "asks" | "left"): Question {
  const whole = `(pebble-${number})`;
  const { rule } = askOf(number, kind === "left");
  const isRight: Question["isRight"] = ({ text }) =>
    withoutSteps(text) === whole || text.includes("was not approved, so the workflow");
  return { ...literal(`run ${askWorkflow(rule)}: pebble-${number}`, whole), ends: ["done", "failed"], isRight };
}

/** The steps stay above the answer. */
const withoutSteps = (text: string): string => text.replace(/^✓ [^\n]*\n\n/, "");

/** The file has a few hundred to a few hundred thousand characters. */
function attached(number: number): Question {
  const content = recite(`stone-${number}`, 300 * (1 + (number % 50) * 20) + number);
  const text = `digest of the file stone-${number}`;
  return { ...literal(text, `stone-${number}: ${hash("sha256", content)}`), attached: content };
}

/** Every third answer exceeds one message. */
function streamed(number: number): Question {
  const characters = (number % 3 === 0 ? partsCharacters : streamedCharacters) + number;
  const whole = recite(`verse-${number}`, characters);
  const text = `stream ${characters} characters of verse-${number}`;
  return { text, parts: number % 3 === 0 ? 2 : 1, whole, isRight: (answer) => isText(answer, whole) };
}

const isFailure = ({ text }: { readonly text: string }): boolean =>
  /^Something went wrong on our side.*\n_Reference: [-\w]+_$/s.test(text);

/** The stop comes at any time of the answer, also before and after it. */
function stopped(number: number): Question {
  const { text, whole = "" } = streamed(3 * number + 1);
  const isBegun = (answer: string): boolean => bare(whole).startsWith(bare(answer));
  return {
    text,
    parts: 1,
    ends: ["stopped", "done"],
    isRight: (answer) => answer.text === "Stopped." || isBegun(answer.text),
  };
}

/** Returns whether an answer is cut. */
export function isTruncated({ whole }: Question, text: string): boolean {
  return whole !== undefined && text !== "" && bare(whole) !== bare(text) && bare(whole).startsWith(bare(text));
}

function isText({ text, file }: { readonly text: string; readonly file?: string | undefined }, whole: string): boolean {
  return file === undefined && bare(text) === bare(whole);
}

/** Removes white space, which is not kept where a text is split into messages. */
function bare(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

function isBeginning(text: string, whole: string): boolean {
  const [beginning = "", note = ""] = text.split("\n\n_This is only the beginning");
  return beginning.length > 5_000 && bare(whole).startsWith(bare(beginning)) && note.includes("in the file below");
}
