import type { TaskProgress } from "@crosszone/contracts";
import { honestLinks } from "./honest-links.ts";
import { neutraliseMentions } from "./neutralise-mentions.ts";
import { splitMarkdown } from "./split-markdown.ts";
import { stepList } from "./step-list.ts";

/** What a message says before there is anything else to show. */
export const workingOnIt = "Working on it…";

/** Characters at the end of a text that may be half a link, a mention, a tag or a word. */
const longestTail = 200;
/** Characters of the answer that are shown: with the steps, less than Slack takes. */
const longestText = 6_000;

/** What is shown of a task that runs, as Markdown: its steps, then as much of its answer as there is, with the same care as an answer. */
export function composeWorking(progress: TaskProgress | undefined, text: string): string {
  const steps = progress === undefined ? "" : stepList(progress);
  const safe = neutraliseMentions(honestLinks(settledText(text.slice(0, 2 * longestText))));
  const [beginning, ...more] = splitMarkdown(safe, longestText);
  const shown =
    beginning === undefined ? "" : `${neutraliseMentions(beginning.text)}${more.length > 0 ? "\n\n" : " "}…`;
  return [shown === "" ? workingOnIt : "", steps, shown].filter((part) => part !== "").join("\n\n");
}

/** The text without a tail that more text may turn into something else: up to its last blank, and to the bracket that is still open there. */
export function settledText(text: string): string {
  const from = Math.max(0, text.length - longestTail);
  const tail = text.slice(from);
  const words = tail.slice(0, Math.max(0, tail.search(/\s\S*$/) + 1));
  const open = words.search(/<[^<>]*$|\[[^[\]]*$|\[[^[\]]*\]\([^()]*$/);
  return text.slice(0, from) + (open === -1 ? words : words.slice(0, open));
}
