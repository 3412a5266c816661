import type { StepState, TaskProgress, TaskStep, TaskSucceeded } from "@crosszone/contracts";
import {
  type Audience,
  honestLinks,
  literalMarkdown,
  liveMentions,
  longestName,
  madeReadable,
  neutraliseLinks,
  neutraliseMentions,
  oneLine,
  readable,
  unnamedIn,
  withoutOverrides,
} from "./neutralise.ts";
import { withFittingTables } from "./plan-blocks.ts";
import { readCode } from "./read-markdown.ts";
import { fenceAfter, firstPart, type MarkdownPart, splitMarkdown } from "./split-markdown.ts";

/**
 * Returns an answer with its context. Instructions for replying go below an agent's question. The agent's name goes above the answer, unless
 * the default agent answered; a workflow's name is left out, because the requester typed it.
 */
export function introduced(
  { agent = "", default_agent, awaits }: Pick<TaskSucceeded, "agent" | "default_agent" | "awaits">,
  text: string,
  { isWorkflow = false }: { readonly isWorkflow?: boolean } = {},
): { readonly name: string; readonly text: string } {
  const isNamed = agent !== "" && default_agent === false && !isWorkflow;
  const paragraphs = [text, awaits === undefined ? "" : howTo[awaits]].filter((paragraph) => paragraph.trim() !== "");
  return { name: isNamed ? `**${literalMarkdown(oneLine(agent, longestName))}**` : "", text: paragraphs.join("\n\n") };
}

const howTo: Readonly<Record<NonNullable<TaskSucceeded["awaits"]>, string>> = {
  input: "_Reply in this thread to answer._",
  authorization: "_Once that is done, reply in this thread to continue._",
};

/** Maximum characters of one message; Slack's limit is 12,000. https://docs.slack.dev/reference/methods/chat.postMessage */
export const longestMessage = 11_000;
/** Longer answers become a file, so that they do not bury the thread. */
const mostMessages = 5;
/** Characters reserved for a note below the last part. */
const reserve = 200;

/** Replaces an answer that has no text. */
export const emptyAnswer = "_The answer is empty._";

export interface ComposedAnswer {
  /** Messages to post, in order, each of which Slack takes; at least one. */
  readonly parts: readonly string[];
  /** The whole answer, present when only its beginning fits into messages, the note below that beginning, and what people read if it fails. */
  readonly file?: { readonly content: string; readonly attached: string; readonly notAttached: string };
}

/**
 * Converts an agent's answer to messages. They notify only `people`, no link hides its target, and no cut splits a character. An answer that
 * needs more than five messages becomes its beginning and a file. `shown` is the text of messages that people have read already: each begins
 * the same again.
 */
export function composeAnswer(
  text: string,
  people: ReadonlySet<string>,
  { names, shown = [] }: { readonly names?: Audience["names"]; readonly shown?: readonly string[] } = {},
): ComposedAnswer {
  const before = shown.join("");
  // Of a longer answer, only the first message is shown, or what people have read of it.
  const isLong = text.length > mostMessages * longestMessage;
  const fitting = withFittingTables(isLong ? text.slice(0, before.length + 2 * longestMessage) : text);
  const kept = fitting.startsWith(before) ? shown : [];
  const split = splitMarkdown(fitting, longestMessage - reserve, kept);
  const beginning = split.slice(0, kept.length + 1);
  const parts = (isLong ? beginning : split).flatMap(({ text: one }, index) =>
    safeParts(one, { people, names }, index < kept.length),
  );
  if (!isLong && parts.length <= mostMessages) return { parts: parts.length === 0 ? [emptyAnswer] : parts };
  const missing = number.format(text.length - beginning.map(({ slice }) => slice).join("").length);
  return {
    parts: parts.slice(0, kept.length + 1),
    file: {
      // Nothing in a file notifies anybody or is a link.
      content: withoutOverrides(text),
      attached: "\n\n_This is only the beginning: the whole answer follows as a file._",
      notAttached: `The whole answer could not be attached as a file: ${missing} of ${number.format(text.length)} characters are missing.`,
    },
  };
}

/**
 * Returns a part as Slack should show it, cut again if it is too long, or grew unless people have read it. Each cut can reactivate a link that
 * its context neutralised.
 */
function safeParts(text: string, audience: Audience, isRead = false): string[] {
  const safe = neutraliseMentions(honestLinks(readable(text, audience)), audience.people);
  if (safe === text || (isRead && safe.length <= longestMessage)) return [safe];
  return splitMarkdown(safe, longestMessage - reserve).flatMap((part) => safeParts(part.text, audience));
}

const number = new Intl.NumberFormat("en-US");

const symbols: Readonly<Record<StepState, string>> = {
  pending: "○",
  running: "◐",
  succeeded: "✓",
  failed: "✗",
  canceled: "–",
  skipped: "–",
};

/** Maximum characters of a title, so that the longest list of steps fits into one message. */
const longestTitle = 80;
/** Maximum characters of an agent's status text. */
export const longestStatus = 200;
/** Maximum number of names in the one-line summary. */
const mostInLine = 8;
const longestInLine = 40;
/** Slack strips ordinary blanks at the beginning of a line, but not this one. EM SPACE. */
const indent = "\u2003";
const deepest = 6;

/**
 * Returns a task's progress as Markdown: the agent's status text in italics, then one line for each step with its state. Nested steps are
 * indented.
 */
export function stepList({ steps, more = 0, text = "" }: TaskProgress): string {
  const said = literalMarkdown(oneLine(text, longestStatus));
  const lines = steps.map((step) => `${indentOf(step)}${symbols[step.state]} ${labelOf(step, literalMarkdown)}`);
  if (said !== "") lines.unshift(`_${said}_`);
  if (more > 0) lines.push(`… ${moreText(more)}`);
  return lines.join("\n");
}

/** Returns what an answer used and how long it took, as one line of text: `Used proofreader, keywords · 2.1 s`. */
export function usedLine(names: readonly string[], durationMs: number): string {
  const used = [...new Set(names)].map((name) => oneLine(name, longestInLine));
  const more = used.length > mostInLine ? ` and ${used.length - mostInLine} more` : "";
  const what = used.length === 0 ? "Answered in" : `Used ${used.slice(0, mostInLine).join(", ")}${more} ·`;
  return `${what} ${durationWords(durationMs)}`;
}

/** Returns a duration for people: `2.1 s`, `3 min 5 s`. */
export function durationWords(ms: number): string {
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns the indent of a nested step. */
export function indentOf({ depth }: TaskStep): string {
  return indent.repeat(Math.min(depth, deepest));
}

/** Returns a step's title, else its id, and how much of it is done. `shown` is how external text appears. */
export function labelOf({ id, title, done, total }: TaskStep, shown: (text: string) => string): string {
  const name = shown(oneLine(title, longestTitle)) || shown(oneLine(id, longestTitle));
  return done === undefined || total === undefined ? name : `${name} (${done}/${total})`;
}

/** Returns how many steps are left out. */
export function moreText(more: number): string {
  return `and ${more} more ${more === 1 ? "step" : "steps"}`;
}

/** Maximum characters of a message that grows; leaves room for its tasks below Slack's limit. */
const longestGrowing = 9_000;
/** The last characters of a message that grows, where it ends with the first paragraph that comes. */
const endOfGrowing = 1_000;
/** An addition of fewer characters, in up to three lines, fits beside what Slack's limits leave. */
const smallAddition = 300;

/** What a task has shown so far. It grows while the task runs. */
export interface ShownSoFar extends Audience {
  /** The text that has arrived, of one message. */
  readonly text: string;
  /** True if no more text arrives for this message. */
  readonly isWhole?: boolean;
  readonly progress: TaskProgress | undefined;
}

/** A text that grows over several messages. What people have read in one message stays there. */
export class GrowingText {
  #text = "";
  #full: MarkdownPart[] = [];
  /** How much of the text is known to fit. */
  #fitting = 0;

  get text(): string {
    return this.#text;
  }

  /** The pieces of the text in the messages that are full. */
  get slices(): readonly string[] {
    return this.#full.map(({ slice }) => slice);
  }

  /** The messages that are full, then the one that grows, once it has text. */
  get messages(): readonly { readonly text: string; readonly isWhole?: boolean }[] {
    const full = this.#full.map(({ text }) => ({ text, isWhole: true }));
    const rest = this.#rest;
    return full.length > 0 && rest.trim() === ""
      ? full
      : [...full, { text: `${this.#full.at(-1)?.next ?? ""}${rest}` }];
  }

  get #rest(): string {
    return this.#text.slice(this.slices.join("").length);
  }

  /** Replaces the text with the one that has arrived by now. */
  write(text: string): void {
    // Nothing of another text can stay.
    if (!text.startsWith(this.#text)) [this.#text, this.#full, this.#fitting] = ["", [], 0];
    const least = settledText(this.#rest).length;
    this.#text = text;
    for (let part = this.#next(least); part !== undefined; part = this.#next(0)) this.#full.push(part);
  }

  /** Returns the message that is full with what comes next; undefined while there is room, or if the rest becomes a file. */
  #next(least: number): MarkdownPart | undefined {
    const rest = this.#rest;
    const added = this.#text.slice(Math.max(this.#fitting, this.#text.length - rest.length));
    // Reading what Slack makes of a text takes time.
    const isSmall = added.length < smallAddition && added.split("\n", 4).length < 4;
    if (this.#full.length >= mostMessages - 1 || isSmall) return undefined;
    const options = { repeated: this.#full.at(-1)?.next ?? "", limit: longestGrowing, least };
    const part = firstPart(rest, options);
    if (part.slice.length < rest.length) return part;
    this.#fitting = this.#text.length;
    const end = rest.indexOf("\n\n", Math.max(least, longestGrowing - endOfGrowing));
    return end === -1 ? undefined : firstPart(rest, { ...options, given: rest.slice(0, end + 2) });
  }
}

/**
 * Returns the beginning of a message's text that is unlikely to change as more text arrives, neutralised like a finished answer. It notifies
 * only `people`, its addresses are not links, and it never ends within a surrogate pair.
 */
export function composeStreamed({ text, isWhole = false, ...audience }: Omit<ShownSoFar, "progress">): string {
  const beginning = text.slice(0, 2 * longestGrowing);
  const settled = isWhole ? beginning : settledText(beginning);
  const unnamed = audience.names === undefined ? undefined : unnamedIn(settled, audience)[0]?.index;
  const open = isWhole ? undefined : unsettledChange(settled, audience);
  const readTo = Math.min(unnamed ?? settled.length, open ?? settled.length);
  const honest = honestLinks(readable(settled.slice(0, readTo), audience), { isUnfinished: !isWhole });
  const { people } = audience;
  const known = isWhole ? honest : honest.slice(0, unsettledMention(honest, people));
  const shown = neutraliseLinks(neutraliseMentions(known, people)).slice(0, longestGrowing);
  return /[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown;
}

/** Returns the first place that is made readable now, but not if later text makes it code, or the other way round. */
function unsettledChange(text: string, audience: Audience): number | undefined {
  const places = text.includes("`") ? madeReadable(text, audience) : [];
  if (places.length === 0) return undefined;
  const { isCode } = readCode(text);
  const isOpen = fenceAfter(text) !== undefined;
  const lastParagraph = text.lastIndexOf("\n\n");
  return places.find((place) => {
    if (place < lastParagraph || (isOpen && isCode(place))) return false;
    return text.slice(lastParagraph + 1, place).includes("`");
  });
}

/** Returns where the first mention begins of which later text decides whether it is code; undefined if there is none. */
function unsettledMention(text: string, people: ReadonlySet<string>): number | undefined {
  const live = text.includes("`") ? liveMentions(text, people) : [];
  if (live.length === 0) return undefined;
  const { isCode } = readCode(text);
  const isOpen = fenceAfter(text) !== undefined;
  const lastParagraph = text.lastIndexOf("\n\n");
  return live.find(({ from }) => {
    const paragraph = text.slice(text.lastIndexOf("\n\n", from) + 1, from);
    if (isCode(from)) return isOpen || lastParagraph < from;
    return lastParagraph < from && paragraph.includes("`");
  })?.from;
}

/** The message text before any progress is available. */
export const workingOnIt = "Working on it…";

/** Characters at the end of a text that can be part of an unfinished link, mention, tag or word. */
const longestTail = 200;

/** Returns Markdown with the steps of a running task and the beginning of its answer, neutralised like a finished answer. */
export function composeWorking({ progress, text, isWhole = false, ...audience }: ShownSoFar): string {
  const beginning = withFittingTables(text.slice(0, 2 * longestGrowing));
  const safe = honestLinks(readable(isWhole ? beginning : settledText(beginning), audience));
  const [first, ...more] = splitMarkdown(safe, longestGrowing);
  const shown = first === undefined ? "" : neutraliseMentions(first.text, audience.people);
  const end = shown === "" || isWhole ? "" : `${more.length > 0 ? "\n\n" : " "}…`;
  const steps = progress === undefined ? "" : stepList(progress);
  // The text is what people read.
  const isFitting = steps.length + shown.length + end.length < longestMessage;
  const parts = [shown === "" ? workingOnIt : "", isFitting ? steps : "", `${shown}${end}`];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Returns the text up to its last blank, and before any unclosed bracket, so that more text cannot change its meaning. */
export function settledText(text: string): string {
  const from = Math.max(0, text.length - longestTail);
  const tail = text.slice(from);
  const words = tail.slice(0, Math.max(0, tail.search(/\s\S*$/) + 1));
  const open = words.search(/<[^<>]*$|\[[^[\]]*$|\[[^[\]]*\]\([^()]*$/);
  return text.slice(0, from) + (open === -1 ? words : words.slice(0, open));
}
