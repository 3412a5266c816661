import { hash } from "node:crypto";
import type { InputDeciders, WorkflowDefinition } from "@crosszone/contracts";
import { recite } from "../../chaos/stand-ins/with-recitals.ts";
import { bracketWorkflows } from "../../harness/bracket-workflows.ts";
import { type PlannedKind, askerOf, idOf } from "./messages.ts";

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
  if (kind === "calls") return calling(number);
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

/** The answer says whether the tool was called. A process that died may have called it; the next one does not call it again. */
function calling(number: number): Question {
  const { text, ...whole } = literal(`send pebble-${number} to all`, `Sent pebble-${number}.`);
  const others = [`Perhaps sent pebble-${number}.`, `Did not send pebble-${number}.`];
  return { ...whole, text, isRight: (answer) => [whole.whole, ...others].includes(answer.text) };
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
  return beginning.length > 5_000 && bare(whole).startsWith(bare(beginning)) && note.includes("follows as a file");
}

/** Who can decide a request: one of two people, two of a group, its requester, or one person who never does. */
type AskRule = "one" | "two" | "own" | "none";

export interface PlannedPress {
  readonly person: number;
  readonly verb: "approve" | "deny";
  /** Milliseconds after the first press of this question. */
  readonly afterMs: number;
}

/** Who can decide about a question to the workflow that asks people, and who presses which button. */
interface PlannedAsk {
  readonly rule: AskRule;
  /** Persons who can decide, and how many of them must approve. */
  readonly deciders: readonly number[];
  readonly quorum: number;
  readonly presses: readonly PlannedPress[];
  /** What people type in the thread before they press. Only a question that `calls` has it. */
  readonly words: readonly PlannedWords[];
}

/**
 * A message in the thread of a card, which decides nothing. `expects`: its author reads who decides (`hint`), or `nothing`, or everybody reads one
 * `answer`; as the same call is not asked again, who is `asked` already.
 */
export interface PlannedWords {
  readonly person: number;
  readonly text: string;
  readonly expects: "hint" | "nothing" | "answer" | "asked";
}

export const groupId = "S0CHAOS0001";
/** Persons of the group. */
export const groupMembers = [0, 1, 2] as const;
/**
 * What deciders press, by rule: the person, the button, and when. Some press twice, some at the same time against each other, and some after the
 * decision.
 */
const courses: Readonly<Record<AskRule, readonly string[]>> = {
  one: [
    "1 deny 400",
    "1 approve 400, 2 deny 400",
    "1 approve 400, 1 approve 400",
    "2 approve 400, 1 deny 700",
    "2 approve 400, 1 approve 400",
  ],
  two: [
    "0 approve 400, 1 deny 900",
    "0 approve 400, 1 approve 400",
    "0 approve 400, 0 approve 450, 2 approve 1500",
    "2 approve 400, 1 approve 400, 0 deny 500",
    "1 approve 400, 2 approve 2000",
  ],
  own: ["asker deny 400", "asker approve 400", "asker approve 400, asker approve 400", "asker approve 400, 7 deny 900"],
  none: [""],
};

/** Presses before the decision: of who asked, of somebody who can decide nothing, and of who has a card like it in another thread. */
const strangers = ["", "asker approve 0", "7 approve 0", "neighbor approve 0"];

/** Returns what happens to the question with this number. `isLeft`: nobody who can decide it does. */
export function askOf(number: number, isLeft: boolean): PlannedAsk {
  const rule = isLeft ? "none" : ((["one", "two", "own"] as const)[number % 3] ?? "one");
  const asker = askerOf(number);
  const course = courses[rule][Math.floor(number / 3) % courses[rule].length];
  const planned = [strangers[number % 4], course].filter(Boolean).join(", ").split(", ");
  const presses = planned.filter(Boolean).map((text): PlannedPress => {
    const [person, verb, afterMs] = text.split(" ");
    const named: Readonly<Record<string, number>> = { asker, neighbor: askerOf(number + 1) };
    return {
      person: named[person ?? ""] ?? Number(person),
      verb: verb as PlannedPress["verb"],
      afterMs: Number(afterMs),
    };
  });
  const able = deciders(rule, asker);
  return { rule, ...able, presses, words: wordsFor(number, { rule, asker, decider: able.deciders[0] ?? asker }) };
}

const decisions = ["yes", "ok", "no", "👍", "approve it", "はい", "Yes!"] as const;

/** The asker and who decides answer in words, also in a sentence, a stranger does, and the asker asks for the same call again. */
function wordsFor(
  number: number,
  { rule, asker, decider }: { readonly rule: AskRule; readonly asker: number; readonly decider: number },
): readonly PlannedWords[] {
  const word = decisions[number % decisions.length] ?? "yes";
  // Who is in the thread only by a group is not followed there.
  const ofDecider = rule === "two" ? "nothing" : "hint";
  const isMentioned = Math.floor(number / 2) % 2 === 0;
  return [
    { person: asker, text: word, expects: "hint" },
    { person: decider, text: "ok", expects: ofDecider },
    { person: 7, text: isMentioned ? "@Crosszone no" : "no", expects: isMentioned ? "hint" : "nothing" },
    { person: asker, text: `yes, go on with it, number ${number}`, expects: "answer" },
    { person: asker, text: "send WORDS to all", expects: "asked" },
  ];
}

function deciders(rule: AskRule, asker: number): Pick<PlannedAsk, "deciders" | "quorum"> {
  if (rule === "two") return { deciders: groupMembers, quorum: 2 };
  if (rule === "own") return { deciders: [asker], quorum: 1 };
  return { deciders: rule === "one" ? [1, 2] : [1], quorum: 1 };
}

const askWorkflow = (rule: AskRule): string => `ask-${rule}`;

const people = (...numbers: number[]): string[] => numbers.map((number) => idOf("U", number));

/** Who can decide, as requests say it. */
export const decide = {
  one: { people: people(1, 2) },
  two: { groups: [groupId], approve: 2 },
  own: { requester: true },
  none: { people: people(1) },
} as const satisfies Record<AskRule, Partial<InputDeciders>>;

/** Returns a workflow for each rule: people decide, and then an agent acts. `leftMs`: when what nobody decides expires, milliseconds. */
export function askWorkflows(leftMs: number): readonly WorkflowDefinition[] {
  const text = "${workflow.input.text}";
  return (["one", "two", "own", "none"] as const).map((rule) => ({
    workflow_id: askWorkflow(rule),
    name: askWorkflow(rule),
    version: "1",
    start_step: "ask",
    steps: {
      ask: {
        id: "ask",
        type: "human",
        input: "approve",
        prompt: `Send ${text}?`,
        decide: decide[rule],
        expires_in_ms: rule === "none" ? leftMs : longestMs,
        ...(rule === "two" && { action: { tool: "send", arguments: { text } } }),
        next_step: "act",
      },
      act: { id: "act", type: "agent", agent_name: "newer", input_mapping: { text } },
    },
    output_mapping: { text: "${act.output.text}" },
  }));
}

/** 30 days, the longest that a step can wait. */
const longestMs = 2_592_000_000;
