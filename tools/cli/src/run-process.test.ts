import { expect, test } from "vitest";
import { startFakeZone, stream } from "./testing/fake-zone.ts";
import { runOnTerminal } from "./testing/run-cli.ts";
import { endedRun, endEvent, graphWith, summary } from "./testing/run-fixture.ts";

test.each<[string, { columns: number; env?: Record<string, string> }, boolean]>([
  ["a terminal", { columns: 80 }, true],
  ["a terminal that does not know its size", { columns: 0 }, false],
  ["a terminal that can't move its cursor", { columns: 80, env: { TERM: "dumb" } }, false],
  ["a terminal with NO_COLOR", { columns: 80, env: { NO_COLOR: "1" } }, false],
])("on %s, steps are redrawn in place only if the terminal can", async (_name, { columns, env = {} }, isLive) => {
  const { url } = await startFakeZone({
    "GET /runs/run-1/events": (response) => stream(response, [[endEvent, 3]]),
    "GET /runs/run-1/graph": graphWith("succeeded", 3),
    "GET /runs/run-1": endedRun,
  });
  const { code, shown } = await runOnTerminal(url, ["runs", "watch", "run-1"], { columns, env });
  expect([code, shown.includes("\u001b[")]).toEqual([0, isLive]);
  expect(shown).toContain("Ask");
});

test("the address of a run of a local zone opens without asking for a token", async () => {
  const { url } = await startFakeZone({ "GET /runs/run-1": endedRun });
  const shown = await runOnTerminal(url, ["runs", "show", "run-1"], { pageToken: "a/b" });
  expect(shown.shown).toContain(`${url}/console/runs/run-1#token=a%2Fb\n`);
  expect((await runOnTerminal(url, ["runs", "show", "run-1"])).shown).toContain(`${url}/console/runs/run-1\n`);
});

test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
  ["the states of a list", ["runs"], {}],
  ["the state of a run", ["runs", "show", "run-1"], {}],
  ["no state with NO_COLOR", ["runs"], { NO_COLOR: "1" }],
  ["no state on a dumb terminal", ["runs"], { TERM: "dumb" }],
  ["no state of JSON", ["runs", "--json"], {}],
])("Q13: a terminal shows colors for %s", async (name, argv, env) => {
  const isColored = !name.startsWith("no ");
  const { url } = await startFakeZone({
    "GET /runs?limit=20": { runs: [{ ...summary, state: "failed" }] },
    "GET /runs/run-1": { ...endedRun, state: "failed" },
  });
  const { shown } = await runOnTerminal(url, argv, { env });
  expect(shown).toContain("failed");
  expect(shown.includes("\u001b[31mfailed")).toBe(isColored);
  expect(shown.includes("\u001b[")).toBe(isColored);
});
