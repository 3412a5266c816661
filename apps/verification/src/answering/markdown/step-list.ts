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
  return [...(said === "" ? [] : [`_${said}_`]), ...lines, ...(more > 0 ? [`… ${moreText(more)}`] : [])].join("\n");
}

/** Returns what an answer used and how long it took, as one line of text: `Used proofreader, keywords · 2.1 s`. */
export function usedLine(names: readonly string[], durationMs: number): string {
  const used = [...new Set(names)].map((name) => oneLine(name, longestInLine));
  const more = used.length > mostInLine ? ` and ${used.length - mostInLine} more` : "";
  const what = used.length === 0 ? "Answered in" : `Used ${used.slice(0, mostInLine).join(", ")}${more} ·`;
  return `${what} ${durationText(durationMs)}`;
}

/** Returns a duration for people: `2.1 s`, `3 min 5 s`. */
export function durationText(ms: number): string {
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
