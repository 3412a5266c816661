import { transportContract } from "@crosszone/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startTestClouds, type TestClouds } from "../harness/test-clouds.ts";
import { transportRows, type TransportRow } from "../harness/transport-rows.ts";

/** The result of one test of the suite. */
interface CaseResult {
  /** Title of its row. */
  readonly row: string;
  readonly title: string;
  readonly passed: boolean;
}

const rowTitle = ({ transport, auth, host }: Omit<TransportRow, "connect">): string =>
  `${transport} · ${auth} · ${host}`;

/** Returns the matrix transport × auth × host × case as a table with a line for each row. The cases are numbered and named below. */
function matrixText(rows: readonly Omit<TransportRow, "connect">[], results: readonly CaseResult[]): string {
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

let clouds: TestClouds;
beforeAll(async () => {
  clouds = await startTestClouds();
});
afterAll(() => clouds.stop());

const rows = transportRows(() => clouds);
for (const row of rows) transportContract(rowTitle(row), row.connect);

const results: CaseResult[] = [];
afterEach(({ task }) => {
  const row = /^Z10: (.*) keeps the transport contract$/.exec(task.suite?.name ?? "")?.[1];
  if (row !== undefined) results.push({ row, title: task.name, passed: task.result?.state !== "fail" });
});
afterAll(() => void process.stdout.write(`\n${matrixText(rows, results)}\n\n`));

describe("Z10: the zones work the same over every transport", () => {
  test.each(["https", "agentcore", "in-process"] as const)("%s", async (link) => {
    const zones = await startCrosszone({ link, limits: { syncWindowMs: 100 } });
    expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
    expect((await zones.answerTo(zones.write({ text: "slow 1 finished" }))).markdown_text).toContain("finished");
    expect((await zones.answerTo(zones.write({ text: "agents" }))).markdown_text).toContain("builtin");
  });
});
