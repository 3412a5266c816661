import type { TransportRow } from "./transport-rows.ts";

/** What one test of the suite showed. */
export interface CaseResult {
  /** The title of the row that it belongs to. */
  readonly row: string;
  readonly title: string;
  readonly passed: boolean;
}

export const rowTitle = ({ transport, auth, host }: Omit<TransportRow, "connect">): string =>
  `${transport} · ${auth} · ${host}`;

/** The matrix transport × auth × host × case as a table, a line for each row; the cases are numbered, and named below. */
export function matrixText(rows: readonly Omit<TransportRow, "connect">[], results: readonly CaseResult[]): string {
  const cases = [...new Set(results.map(({ title }) => title))];
  const mark = (row: string, title: string): string => {
    const result = results.find((one) => one.row === row && one.title === title);
    return result === undefined ? "–" : result.passed ? "✓" : "✗";
  };
  const lines = [
    ["transport", "auth", "host", ...cases.map((_title, index) => String(index + 1))],
    ...rows.map((row) => [row.transport, row.auth, row.host, ...cases.map((title) => mark(rowTitle(row), title))]),
  ];
  const widths = (lines[0] ?? []).map((_cell, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...table, "", ...cases.map((title, index) => `${index + 1}  ${title}`)].join("\n");
}
