import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answerWith, problem, startFakeZone, runCli } from "../testing/fake-zone.ts";
import { endedRun, summary } from "../testing/run-fixture.ts";

test("with several files, the error names the file whose version exists with other content", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { definition } = endedRun;
  const record = { workflow_id: "w", version: "1", definition, created_at: summary.created_at };
  const zone = await startFakeZone({
    "POST /workflows": (response, _asked, count) =>
      count === 0
        ? answerWith(response, 201, record)
        : problem(response, { kind: "version-conflict", status: 409, detail: "Take another" }),
  });
  const files = ["a.json", "b.json"].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, JSON.stringify({ ...definition, name: file.slice(-6) }));
  const told = await runCli(zone.url, ["workflows", "create", ...files]).done;
  expect(told).toEqual({ code: 3, out: "w 1 is stored\n", err: `${files[1]}: It is refused. Take another.\n` });
});

test("a long name of a workflow is cut in the list", async () => {
  const one = { workflow_id: "w", version: "1", name: "long ".repeat(20), created_at: summary.created_at };
  const workflows = [{ ...one, description: "Does it" }];
  const zone = await startFakeZone({
    "GET /workflows?limit=20&offset=0": (response) =>
      answerWith(response, 200, { workflows, total: 1, limit: 20, offset: 0 }),
  });
  const { out } = await runCli(zone.url, ["workflows"]).done;
  expect(out.split("\n")[1]).toMatch(/^w +1 +(long )+long…  Does it$/);
});
