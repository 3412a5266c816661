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
  const said = literalMarkdown(oneLine(text, longestText));
  const lines = steps.map((step) => `${indent.repeat(Math.min(step.depth, deepest))}${stepText(step)}`);
  return [...(said === "" ? [] : [`_${said}_`]), ...lines, ...(more > 0 ? [moreText(more)] : [])].join("\n");
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

function stepText({ id, title, state, done, total }: TaskStep): string {
  const name = literalMarkdown(oneLine(title, longestTitle)) || literalMarkdown(oneLine(id, longestTitle));
  const count = done === undefined || total === undefined ? "" : ` (${done}/${total})`;
  return `${symbols[state]} ${name}${count}`;
}

function moreText(more: number): string {
  return `… and ${more} more ${more === 1 ? "step" : "steps"}`;
}
