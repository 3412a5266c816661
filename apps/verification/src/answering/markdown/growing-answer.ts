import type { TaskProgress } from "@crosszone/contracts";
import { longestMessage, mostMessages } from "./compose-answer.ts";
import { honestLinks } from "./honest-links.ts";
import { liveMentions, neutraliseLinks, neutraliseMentions } from "./neutralise.ts";
import { withFittingTables } from "./plan-blocks.ts";
import { readCode } from "./read-markdown.ts";
import { type Audience, readable, unnamedIn } from "./readable.ts";
import { fenceAfter, firstPart, type MarkdownPart, splitMarkdown } from "./split-markdown.ts";
import { stepList } from "./step-list.ts";

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
  get messages(): readonly Pick<ShownSoFar, "text" | "isWhole">[] {
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
  const honest = honestLinks(readable(settled.slice(0, unnamed), audience), { isUnfinished: !isWhole });
  const { people } = audience;
  const known = isWhole ? honest : honest.slice(0, unsettledMention(honest, people));
  const shown = neutraliseLinks(neutraliseMentions(known, people)).slice(0, longestGrowing);
  return /[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown;
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
function settledText(text: string): string {
  const from = Math.max(0, text.length - longestTail);
  const tail = text.slice(from);
  const words = tail.slice(0, Math.max(0, tail.search(/\s\S*$/) + 1));
  const open = words.search(/<[^<>]*$|\[[^[\]]*$|\[[^[\]]*\]\([^()]*$/);
  return text.slice(0, from) + (open === -1 ? words : words.slice(0, open));
}
