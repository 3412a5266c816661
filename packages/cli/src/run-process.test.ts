import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { startCli } from "./run-process.ts";
import { answerWith, startFakeZone, stream, testToken } from "./testing/fake-zone.ts";
import { endedRun, endEvent, graphWith } from "./testing/run-fixture.ts";

test.each<[string, { columns: number; env?: Record<string, string> }, boolean]>([
  ["a terminal", { columns: 80 }, true],
  ["a terminal that does not know its size", { columns: 0 }, false],
  ["a terminal that can't move its cursor", { columns: 80, env: { TERM: "dumb" } }, false],
  ["a terminal with NO_COLOR", { columns: 80, env: { NO_COLOR: "1" } }, false],
])("on %s, steps are redrawn in place only if the terminal can", async (_name, { columns, env = {} }, isLive) => {
  const { url } = await startFakeZone({
    "GET /runs/run-1/events": (response) => stream(response, [[endEvent, 3]]),
    "GET /runs/run-1/graph": (response) => answerWith(response, 200, graphWith("succeeded", 3)),
    "GET /runs/run-1": (response) => answerWith(response, 200, endedRun),
  });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns, rows: columns });
  let told = "";
  stderr.on("data", (piece: Buffer) => (told += piece.toString()));
  const code = await startCli({
    argv: ["runs", "watch", "run-1"],
    env: { CROSSZONE_URL: url, CROSSZONE_TOKEN: testToken, ...env },
    stdin: Readable.from([]),
    stdout: new PassThrough().resume(),
    stderr,
    onInterrupt: () => () => undefined,
    onStop: () => () => undefined,
  });
  expect([code, told.includes("\u001b[")]).toEqual([0, isLive]);
  expect(told).toContain("Ask");
});

/** Runs a command line on a terminal with these variables, and returns what it prints there. */
async function onTerminal(url: string, argv: readonly string[], more: object = {}): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let told = "";
  stdout.on("data", (piece: Buffer) => (told += piece.toString()));
  await startCli({
    argv,
    env: { CROSSZONE_URL: url, CROSSZONE_TOKEN: testToken, ...("env" in more ? (more.env as object) : {}) },
    stdin: Readable.from([]),
    stdout,
    stderr: new PassThrough().resume(),
    onInterrupt: () => () => undefined,
    onStop: () => () => undefined,
    ...("pageToken" in more ? { pageToken: String(more.pageToken) } : {}),
  });
  return told;
}

test("the address of a run of a local zone opens without asking for a token", async () => {
  const { url } = await startFakeZone({ "GET /runs/run-1": (response) => answerWith(response, 200, endedRun) });
  expect(await onTerminal(url, ["runs", "show", "run-1"], { pageToken: "a/b" })).toContain(
    `${url}/runs/run-1#token=a%2Fb\n`,
  );
  expect(await onTerminal(url, ["runs", "show", "run-1"])).toContain(`${url}/runs/run-1\n`);
});
