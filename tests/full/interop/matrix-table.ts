/** What one agent did in one case. */
export interface CellResult {
  readonly sdk: string;
  readonly cell: string;
  /** What was wrong; undefined when the cell passed. */
  readonly wrong?: string;
}

/** Returns the results as a Markdown table, one row per case and one column per SDK, with what was wrong below it. */
export function matrixTable(results: readonly CellResult[]): string {
  const columns = [...new Set(results.map(({ sdk }) => sdk))];
  const rows = [...new Set(results.map(({ cell }) => cell))];
  const mark = (cell: string, sdk: string): string =>
    results.find((one) => one.cell === cell && one.sdk === sdk)?.wrong === undefined ? "✓" : "✗";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const failed = results.filter(({ wrong }) => wrong !== undefined);
  return [
    line(["case", ...columns]),
    line(["---", ...columns.map(() => "---")]),
    ...rows.map((cell) => line([cell, ...columns.map((sdk) => mark(cell, sdk))])),
    "",
    `${results.length - failed.length} of ${results.length} passed.`,
    ...failed.map(({ sdk, cell, wrong }) => `- ${sdk}, ${cell}: ${wrong}`),
  ].join("\n");
}
