import type { TaskSucceeded } from "@crosszone/contracts";
import { literalMarkdown } from "./literal-markdown.ts";
import { oneLine } from "./one-line.ts";

const longestName = 80;

/**
 * Returns an answer with its context. The agent's name goes above the answer, unless the default agent answered. Instructions for replying
 * go below an agent's question. A workflow's name is left out, because the requester typed it.
 */
export function introduced(
  { agent, default_agent, awaits }: TaskSucceeded,
  text: string,
  { isWorkflow = false }: { readonly isWorkflow?: boolean } = {},
): string {
  const isNamed = agent !== undefined && default_agent === false && !isWorkflow;
  const name = literalMarkdown(oneLine(agent ?? "", longestName));
  const paragraphs = [isNamed ? `**${name}**` : "", text, awaits === undefined ? "" : howTo[awaits]];
  return paragraphs.filter((paragraph) => paragraph.trim() !== "").join("\n\n");
}

const howTo: Readonly<Record<NonNullable<TaskSucceeded["awaits"]>, string>> = {
  input: "_Reply in this thread to answer._",
  authorization: "_Once that is done, reply in this thread to continue._",
};
