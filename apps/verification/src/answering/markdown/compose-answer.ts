import type { TaskSucceeded } from "@crosszone/contracts";
import { honestLinks } from "./honest-links.ts";
import { literalMarkdown, neutraliseMentions, oneLine, withoutOverrides } from "./neutralise.ts";
import { splitMarkdown } from "./split-markdown.ts";

const longestName = 80;

/**
 * Returns an answer with its context. Instructions for replying go below an agent's question. The agent's name goes above the answer, unless
 * the default agent answered; a workflow's name is left out, because the requester typed it.
 */
export function introduced(
  { agent = "", default_agent, awaits }: TaskSucceeded,
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
  // Text beyond this limit appears only in the file.
  const shown = mostMessages * longestMessage;
  const rest = withoutOverrides(text.slice(shown));
  const safe = neutraliseMentions(`${honestLinks(text.slice(0, shown))}${rest}`, people);
  const limit = longestMessage - reserve;
  // A cut can reactivate a link or a mention that its context neutralised.
  const split = splitMarkdown(safe, limit).flatMap((part, index) => {
    const honest = index < mostMessages ? honestLinks(part.text) : part.text;
    return honest === part.text ? [part] : splitMarkdown(honest, limit);
  });
  const parts = split.map((part) => neutraliseMentions(part.text, people));
  const [first = emptyAnswer] = parts;
  if (parts.length <= mostMessages) return { parts: parts.length === 0 ? [first] : parts };
  const missing = number.format(safe.length - (split[0]?.slice.length ?? 0));
  return {
    parts: [first],
    file: {
      content: safe,
      attached: "\n\n_This is only the beginning: the whole answer is in the file below._",
      notAttached: `\n\n_This is only the beginning: ${missing} of ${number.format(safe.length)} characters are missing, because they could not be attached as a file._`,
    },
  };
}

const number = new Intl.NumberFormat("en-US");
