import { diff } from "node:util";
import { fit } from "../text/terminal-text.ts";

/** Maximum number of displayed lines, and maximum line width. */
const mostLines = 30;
const widest = 160;
/** Maximum number of compared pairs of lines; above it, everything between the common ends counts as changed. */
const mostPairs = 1_000_000;

/** Returns the lines that differ: `- ` only in `before`, `+ ` only in `after`, each change below the equal line before it. Empty when equal. */
export function diffLines(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const changed = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const lines = [...(start > 0 ? [`  ${a[start - 1]}`] : []), ...changed];
  const shown = lines.slice(0, mostLines).map((line) => fit(line, widest));
  return lines.length > mostLines ? [...shown, `  … ${lines.length - mostLines} more lines`] : shown;
}

function between(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length * b.length > mostPairs) return [...a.map((line) => `- ${line}`), ...b.map((line) => `+ ${line}`)];
  return diff(a, b).map(([kind, line]) => `${signs[kind + 1]} ${line}`);
}

/** By the kind of `util.diff`: -1 for an inserted line, 0 for an equal one, 1 for a deleted one. */
const signs = ["+", " ", "-"];

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const time = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?/g;

/**
 * Replaces what differs between two runs of the same conversation: UUIDs, times, and the date `day` on which it ran (`2026-03-01`). Equal
 * requests of two days have equal steady texts.
 */
export function steadyText(text: string, day: string): string {
  return text.replaceAll(uuid, "<uuid>").replaceAll(time, "<time>").replaceAll(day, "<today>");
}

/** Returns a JSON value as indented text with its members in alphabetical order, with line breaks of its strings as real ones. */
export function readable(value: unknown): string {
  return JSON.stringify(sorted(value), undefined, 2)?.replaceAll("\\n", "\n    ") ?? "";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** The date of a time in the form of `steadyText`. */
export const dayOf = (at: string | Date): string => new Date(at).toISOString().slice(0, 10);
