import { columnsOf } from "./fit.ts";
import { harmlessLine } from "./harmless.ts";

/** Returns rows of text below a header, each column as wide as its widest cell. Ends with a line feed. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(harmlessLine));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => columnsOf(row[column] ?? ""))));
  const lines = cells.map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columnsOf(text)));
}
