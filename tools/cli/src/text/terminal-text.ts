import type { Cap, CapUse } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import stringWidth from "string-width";

const [, typed = ""] = process.argv;

/** How people type this command line: in a clone it is the script in the root, in a created folder one of its package. */
export const ownName: string = typed.endsWith("/dev/scripts/crosszone.ts")
  ? "./crosszone"
  : typed.endsWith("/node_modules/crosszone/bin/crosszone.js")
    ? "npm run crosszone --"
    : "crosszone";

/** Escapes untrusted text for a terminal: characters that people can't see, or that move the cursor, become `\u001b` and the like. JSON stays equivalent. */
export function harmless(text: string): string {
  return showUnseen(text.replaceAll("\r\n", "\n"));
}

/** Like `harmless`, on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replaceAll(/[\n\t]+/g, " ");
}

/** Formats a value as indented JSON that is safe for a terminal. */
export function harmlessJson(value: unknown): string {
  return harmless(JSON.stringify(value, undefined, 2));
}

/** Returns a string as it is, and any other value as JSON. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? harmless(value) : harmlessJson(value);
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Returns the width of a text in terminal columns. Wide characters, such as Japanese ones, take two. */
export const columnsOf = (text: string): number => stringWidth(text);

/** Cuts a line to a number of columns. A cut line ends with `…`. */
export function fit(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  let kept = "";
  let taken = 0;
  for (const { segment } of characters.segment(line)) {
    taken += columnsOf(segment);
    if (taken > columns - 1) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : "";
}

interface TableStyle {
  /** Adds colors to cells. */
  readonly style?: (cell: string) => string;
  /** The width of the terminal; lines are not cut when absent. */
  readonly columns?: number | undefined;
  /** The columns of numbers, which are aligned right. */
  readonly numbers?: readonly number[];
}

/** Returns rows of text below a header, each column as wide as its widest cell, or as the terminal allows. Ends with a line feed. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { style = (cell) => cell, columns = Infinity, numbers = [] }: TableStyle = {},
): string {
  const cells = [head, ...rows].map((row) => row.map(harmlessLine));
  const widest = (kept: readonly string[]): number => Math.max(0, ...kept.map(columnsOf));
  const columnWidths = head.map((_, column) => {
    const own = cells.map((row) => row[column] ?? "");
    const width = widest(own);
    return { width, least: column === 0 ? width : Math.max(widest(own.filter(isId)), Math.min(width, leastWidth)) };
  });
  const widths = fittedWidths(columnWidths, columns);
  const cellAt = (row: readonly string[], column: number, width: number): string => {
    const text = fit(row[column] ?? "", width);
    const space = " ".repeat(Math.max(0, width - columnsOf(text)));
    return style(numbers.includes(column) ? space + text : text + space);
  };
  const lines = cells.map((row) => widths.map((width, column) => cellAt(row, column, width)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** The narrowest cut column. */
const leastWidth = 8;

/** Ids are to be copied, so they are never cut. */
const isId = (cell: string): boolean => /^([\da-f]{8}-[\da-f-]{27}|\w+_[\da-f]{32}|[UW][A-Z\d]{8,})$/.test(cell);

/**
 * Returns widths whose sum fits: the widest columns are cut, at most to their `least` width, and the last ones left out where that is not
 * enough.
 */
function fittedWidths(all: readonly { readonly width: number; readonly least: number }[], columns: number): number[] {
  const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + 2, -2);
  if (all.length > 1 && sumOf(all.map(({ least }) => least)) > columns) return fittedWidths(all.slice(0, -1), columns);
  const widths = all.map(({ width }) => width);
  const canShrink = (width: number, column: number): number => (width > (all[column]?.least ?? 0) ? width : 0);
  while (sumOf(widths) > columns) {
    const shrinkable = widths.map(canShrink);
    const widest = Math.max(...shrinkable);
    if (widest === 0) return widths;
    widths[shrinkable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Returns lines with a label and a value each, the values aligned. Undefined values are left out. */
export function factsText(facts: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([label]) => label.length)) + 2;
  return known.map(([label, value = ""]) => `${`${label.padEnd(width)}${harmlessLine(value)}`.trimEnd()}\n`).join("");
}

/** Returns how long ago a time was, on a terminal; elsewhere the time itself. */
export function momentText(at: string, { isTTY }: { readonly isTTY?: boolean }): string {
  return isTTY === true ? `${shortDuration(Date.now() - Date.parse(at))} ago` : at;
}

/** Formats milliseconds: `40ms`, `1.4s`, `12s`, `3m 05s`, `2h 00m`, `3d 04h`. */
export function shortDuration(ms: number): string {
  if (ms < 950) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

interface Span {
  readonly started_at?: string;
  readonly ended_at?: string;
}

/** Returns how long a run or a step took; empty when it has not started or not ended. */
export function tookOf({ started_at, ended_at }: Span): string {
  return started_at && ended_at ? shortDuration(Date.parse(ended_at) - Date.parse(started_at)) : "";
}

/** Like `tookOf`, but for a running one returns the time so far; `now` in milliseconds since 1970. */
export function takesOf(span: Span, now: number = Date.now()): string {
  const { started_at, ended_at } = span;
  return started_at && !ended_at ? `${shortDuration(now - Date.parse(started_at))} so far` : tookOf(span);
}

/** Returns a state; for a final state, also how long it took. */
export function stateText({ state, ...span }: Span & { readonly state: string }): string {
  const took = tookOf(span);
  return took === "" ? state : `${state} after ${took}`;
}

/** Says what was used of a cap today, and what nothing limits but costs money: `3 of 24 fires, 0.4 usd`. */
export const useOf = (used: CapUse | undefined, cap: Cap = {}): string =>
  (["fires", "tokens", "usd"] as const)
    .flatMap((unit) => {
      const [amount, most] = [used?.[unit] ?? 0, cap[unit]];
      if (most === undefined) return unit === "usd" && amount > 0 ? `${amount} usd` : [];
      return `${amount} of ${most} ${unit}`;
    })
    .join(", ");

const two = (value: number): string => String(value).padStart(2, "0");
