import type { TaskProgress } from "@crosszone/contracts";
import { honestLinks } from "./honest-links.ts";
import { neutraliseLinks, neutraliseMentions } from "./neutralise.ts";
import { splitMarkdown } from "./split-markdown.ts";
import { stepList } from "./step-list.ts";

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
export function settledText(text: string): string {
  const from = Math.max(0, text.length - longestTail);
  const tail = text.slice(from);
  const words = tail.slice(0, Math.max(0, tail.search(/\s\S*$/) + 1));
  const open = words.search(/<[^<>]*$|\[[^[\]]*$|\[[^[\]]*\]\([^()]*$/);
  return text.slice(0, from) + (open === -1 ? words : words.slice(0, open));
}
