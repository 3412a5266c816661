import { transportContract } from "@crosszone/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { matrixText, rowTitle, type CaseResult } from "../harness/print-matrix.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startTestClouds, type TestClouds } from "../harness/test-clouds.ts";
import { transportRows } from "../harness/transport-rows.ts";

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

describe("Z10: the zones work the same over either", () => {
  test.each(["https", "agentcore", "in-process"] as const)("%s", async (link) => {
    const zones = await startCrosszone({ link, limits: { syncWindowMs: 100 } });
    expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
    expect((await zones.answerTo(zones.write({ text: "slow 1 finished" }))).markdown_text).toContain("finished");
    expect((await zones.answerTo(zones.write({ text: "agents" }))).markdown_text).toContain("builtin");
  });
});
