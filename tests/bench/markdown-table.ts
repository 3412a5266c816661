/** A Markdown table that reads well as plain text too: columns padded, numbers to the right. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(3, ...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const widthOf = (column: number): number => widths[column] ?? 0;
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column)))).join(" | ")} |`;
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [header, rule, ...rows].map(line).join("\n");
}
