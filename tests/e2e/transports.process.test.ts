import { resolve } from "node:path";
import { transportContract } from "@crosszone/testkit";
import { tune } from "@crosszone/testkit/tune";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startProcess, type ZoneProcess } from "../harness/start-process.ts";
import { startTestClouds, type TestClouds } from "../harness/test-clouds.ts";
import { type TransportRow, transportRows } from "../harness/transport-rows.ts";

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

const execute = {
  jsonrpc: "2.0",
  method: "execute_task",
  params: { channel: "C1", text: "6*7", bot_token: "h" },
  id: "1",
};

const startOn = async (env: Record<string, string>): Promise<ZoneProcess> =>
  startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: { EXECUTION_HOST: "127.0.0.1", EXECUTION_TOKEN: "", ...env },
  });

const ask = async (url: string): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(execute) })).json();
};

test.each([
  ["agentcore", "/invocations", { EXECUTION_PORT: "0", CALLER_AUTH: "platform" }],
  ["cloud-run", "/rpc", { PORT: "0" }],
  ["foundry", "/invocations", { EXECUTION_PORT: "0", ...tune({ AGENT_THREADS: 0 }) }],
] as const)(
  "Z11: as %s expects it, the process answers at %s, with the agent on threads or not, and stops when told to",
  async (...[HOST_PROFILE, path, env]) => {
    const zone = await startOn({ HOST_PROFILE, ...env });
    expect(await ask(zone.url + path)).toMatchObject({
      result: { response_text: expect.stringContaining("42"), skill: "arithmetic" },
    });
    expect((await fetch(`${zone.url}/ping`)).status).toBe(HOST_PROFILE === "agentcore" ? 200 : 404);
    expect(await zone.stop()).toBe(0);
  },
);
