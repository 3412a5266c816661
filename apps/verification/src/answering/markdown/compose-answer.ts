import type { TaskSucceeded } from "@crosszone/contracts";
import { honestLinks } from "./honest-links.ts";
import { literalMarkdown, neutraliseMentions, oneLine, withoutOverrides } from "./neutralise.ts";
import { withFittingTables } from "./plan-blocks.ts";
import { type Audience, longestName, readable } from "./readable.ts";
import { splitMarkdown } from "./split-markdown.ts";

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
export const mostMessages = 5;
/** Characters reserved for a note below the last part. */
const reserve = 200;

/** Replaces an answer that has no text. */
export const emptyAnswer = "_The answer is empty._";

export interface ComposedAnswer {
  /** Messages to post, in order, each of which Slack takes; at least one. */
  readonly parts: readonly string[];
  /** The whole answer, present when only its beginning fits into messages, and the note to write below that beginning. */
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
  { names, shown = [] }: Pick<Audience, "names"> & { readonly shown?: readonly string[] } = {},
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
      attached: "\n\n_This is only the beginning: the whole answer is in the file below._",
      notAttached: `\n\n_This is only the beginning: ${missing} of ${number.format(text.length)} characters are missing, because they could not be attached as a file._`,
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
