import { showUnseen } from "@crosszone/service-kit/text";
import stringWidth from "string-width";

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
export function asText(value: unknown): string {
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

/** Returns rows of text below a header, each column as wide as its widest cell. `style` adds colors to cells. Ends with a line feed. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  style = (cell: string): string => cell,
): string {
  const cells = [head, ...rows].map((row) => row.map(harmlessLine));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => columnsOf(row[column] ?? ""))));
  const lines = cells.map((row) => row.map((cell, column) => style(padded(cell, widths[column] ?? 0))).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columnsOf(text)));
}

/** Returns lines with a label and a value each, the values aligned. Undefined values are left out. */
export function factsText(facts: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([label]) => label.length)) + 2;
  return known.map(([label, value = ""]) => `${`${label.padEnd(width)}${harmlessLine(value)}`.trimEnd()}\n`).join("");
}

/** Returns how long ago a time was, on a terminal; elsewhere the time itself. */
export function momentText(at: string, { isTTY }: { readonly isTTY?: boolean }): string {
  return isTTY === true ? `${duration(Date.now() - Date.parse(at))} ago` : at;
}

/** Formats milliseconds: `40ms`, `1.4s`, `12s`, `3m 05s`, `2h 00m`, `3d 04h`. */
export function duration(ms: number): string {
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
  return started_at && ended_at ? duration(Date.parse(ended_at) - Date.parse(started_at)) : "";
}

/** Like `tookOf`, but for a running one returns the time so far; `now` in milliseconds since 1970. */
export function takesOf(span: Span, now: number = Date.now()): string {
  const { started_at, ended_at } = span;
  return started_at && !ended_at ? `${duration(now - Date.parse(started_at))} so far` : tookOf(span);
}

/** Returns a state; for a final state, also how long it took. */
export function stateText({ state, ...span }: Span & { readonly state: string }): string {
  const took = tookOf(span);
  return took === "" ? state : `${state} after ${took}`;
}

const two = (value: number): string => String(value).padStart(2, "0");
