import type { TaskProgress, TaskSucceeded } from "@crosszone/contracts";
import { honestLinks } from "./honest-links.ts";
import { literalMarkdown, neutraliseLinks, neutraliseMentions, oneLine, withoutOverrides } from "./neutralise.ts";
import { type MarkdownPart, splitMarkdown } from "./split-markdown.ts";
import { stepList } from "./step-list.ts";

const longestName = 80;

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
/** Characters reserved for a note below the first part and for neutralised mentions. */
const reserve = 200;

/** Replaces an answer that has no text. */
export const emptyAnswer = "_The answer is empty._";

export interface ComposedAnswer {
  /** Messages to post, in order, each at most `longestMessage` characters; at least one. */
  readonly parts: readonly string[];
  /** The whole answer, present when only its beginning fits into messages, and the note to write below that beginning. */
  readonly file?: { readonly content: string; readonly attached: string; readonly notAttached: string };
}

/**
 * Converts an agent's answer to messages. They notify only `people`, no link hides its target, and no cut splits a character. An answer that
 * needs more than five messages becomes its beginning and a file.
 */
export function composeAnswer(text: string, people: ReadonlySet<string>): ComposedAnswer {
  // Of a longer answer, only the first message is shown.
  const isLong = text.length > mostMessages * longestMessage;
  const cut = splitMarkdown(isLong ? text.slice(0, 2 * longestMessage) : text, longestMessage - reserve);
  const split = (isLong ? cut.slice(0, 1) : cut).flatMap(honestParts);
  const parts = split.map((part) => neutraliseMentions(part.text, people));
  const [first = emptyAnswer] = parts;
  if (!isLong && parts.length <= mostMessages) return { parts: parts.length === 0 ? [first] : parts };
  const missing = number.format(text.length - (split[0]?.slice.length ?? 0));
  return {
    parts: [first],
    file: {
      // Nothing in a file notifies anybody or is a link.
      content: withoutOverrides(text),
      attached: "\n\n_This is only the beginning: the whole answer is in the file below._",
      notAttached: `\n\n_This is only the beginning: ${missing} of ${number.format(text.length)} characters are missing, because they could not be attached as a file._`,
    },
  };
}

/** Returns a part with honest links, cut again if it is too long. Each cut can reactivate a link that its context neutralised. */
function honestParts(part: MarkdownPart): MarkdownPart[] {
  const honest = honestLinks(part.text);
  if (honest === part.text) return [part];
  return splitMarkdown(honest, longestMessage - reserve).flatMap(honestParts);
}

const number = new Intl.NumberFormat("en-US");

/** Maximum characters of an answer to stream; leaves room for the message's tasks below Slack's limit. The final answer has the rest. */
const longestStreamed = 9_000;

/**
 * Returns the beginning of an answer that is unlikely to change as more text arrives, neutralised like a finished answer. It notifies only
 * `people`, its addresses are not links, and it never ends within a surrogate pair.
 */
export function composeStreamed({ text, people }: Pick<ShownSoFar, "text" | "people">): string {
  const honest = honestLinks(settledText(text.slice(0, 2 * longestStreamed)), { isUnfinished: true });
  const safe = neutraliseLinks(neutraliseMentions(honest, people));
  const shown = safe.slice(0, longestStreamed);
  return /[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown;
}

/** What a task has shown so far. It grows while the task runs. */
export interface ShownSoFar {
  /** The answer's text that has arrived. */
  readonly text: string;
  /** The people that it can mention. */
  readonly people: ReadonlySet<string>;
  readonly progress: TaskProgress | undefined;
}

/** The message text before any progress is available. */
export const workingOnIt = "Working on it…";

/** Characters at the end of a text that can be part of an unfinished link, mention, tag or word. */
const longestTail = 200;
/** Maximum characters of the answer to show; leaves room for the steps below Slack's limit. */
const longestText = 6_000;

/** Returns Markdown with the steps of a running task and the beginning of its answer, neutralised like a finished answer. */
export function composeWorking({ progress, text }: ShownSoFar): string {
  const steps = progress === undefined ? "" : stepList(progress);
  const safe = neutraliseMentions(honestLinks(settledText(text.slice(0, 2 * longestText))));
  const [beginning, ...more] = splitMarkdown(safe, longestText);
  const shown =
    beginning === undefined ? "" : `${neutraliseMentions(beginning.text)}${more.length > 0 ? "\n\n" : " "}…`;
  return [shown === "" ? workingOnIt : "", steps, shown].filter((part) => part !== "").join("\n\n");
}

/** Returns the text up to its last blank, and before any unclosed bracket, so that more text cannot change its meaning. */
function settledText(text: string): string {
  const from = Math.max(0, text.length - longestTail);
  const tail = text.slice(from);
  const words = tail.slice(0, Math.max(0, tail.search(/\s\S*$/) + 1));
  const open = words.search(/<[^<>]*$|\[[^[\]]*$|\[[^[\]]*\]\([^()]*$/);
  return text.slice(0, from) + (open === -1 ? words : words.slice(0, open));
}
