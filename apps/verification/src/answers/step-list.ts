import type { StepState, TaskProgress, TaskStep } from "@crosszone/contracts";
import { literalMarkdown } from "./literal-markdown.ts";
import { oneLine } from "./one-line.ts";

const symbols: Readonly<Record<StepState, string>> = {
  pending: "○",
  running: "◐",
  succeeded: "✓",
  failed: "✗",
  canceled: "–",
  skipped: "–",
};

/** So many steps of so long titles fit into one message, whatever is in them. Characters. */
const longestTitle = 80;
const longestText = 200;
/** In a line for all of them, so many. */
const mostInLine = 8;
const longestInLine = 40;
/** Slack takes blanks away at the beginning of a line, but not this one. EM SPACE. */
const indent = "\u2003";
const deepest = 6;

/**
 * How far a task is, as Markdown: what its agent says it is doing, in italics, and its steps below one another, each with its state, those
 * within others indented.
 */
export function stepList({ steps, more = 0, text = "" }: TaskProgress): string {
  const said = literalMarkdown(oneLine(text, longestText));
  const lines = steps.map((step) => `${indent.repeat(Math.min(step.depth, deepest))}${stepText(step, longestTitle)}`);
  return [...(said === "" ? [] : [`_${said}_`]), ...lines, ...(more > 0 ? [moreText(more)] : [])].join("\n");
}

/** How the outermost steps of a task went, in one line of Markdown. */
export function stepLine({ steps, more = 0 }: TaskProgress): string {
  const outer = steps.filter(({ depth }) => depth === 0);
  const missing = more + Math.max(0, outer.length - mostInLine);
  const shown = outer.slice(0, mostInLine).map((step) => stepText(step, longestInLine));
  return [...shown, ...(missing > 0 ? [moreText(missing)] : [])].join(" · ");
}

function stepText({ id, title, state, done, total }: TaskStep, longest: number): string {
  const name = literalMarkdown(oneLine(title, longest)) || literalMarkdown(oneLine(id, longest));
  const count = done === undefined || total === undefined ? "" : ` (${done}/${total})`;
  return `${symbols[state]} ${name}${count}`;
}

function moreText(more: number): string {
  return `… and ${more} more ${more === 1 ? "step" : "steps"}`;
}
