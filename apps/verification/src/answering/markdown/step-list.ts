import type { StepState, TaskProgress, TaskStep } from "@crosszone/contracts";
import { literalMarkdown, oneLine } from "./neutralise.ts";

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
const longestText = 200;
/** Maximum number of steps in the one-line summary. */
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
  const said = literalMarkdown(oneLine(text, longestText));
  const lines = steps.map((step) => `${indent.repeat(Math.min(step.depth, deepest))}${stepText(step, longestTitle)}`);
  return [...(said === "" ? [] : [`_${said}_`]), ...lines, ...(more > 0 ? [moreText(more)] : [])].join("\n");
}

/** Returns the results of a task's outermost steps as one line of Markdown. */
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
