// suite: rest
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { answerWith, problem, runCli, startFakeZone, stream } from "../testing/fake-zone.ts";
import { endedRun, endEvent, graphWith, summary } from "../testing/run-fixture.ts";

const [first, second] = ["6122d929-1a2b-4c3d-8e4f-000000000001", "6122ffff-1a2b-4c3d-8e4f-000000000002"];

const page = (...runs: object[]) => ({ runs });

const listed = "GET /runs?limit=200";

const task = {
  task_id: first,
  state: "error",
  caller: "verification",
  agent: "w",
  correlation_id: "c-1",
  attempts: 1,
  created_at: summary.created_at,
  deadline: summary.created_at,
};

const tool = { name: "find", description: "Finds\u001b[2J", inputSchema: { type: "object" }, annotations: {} };

const find = { name: "find", state: "changed", fingerprint: "b".repeat(64), definition: tool };

const get = { name: "get", state: "pinned", fingerprint: "a".repeat(64), definition: { ...tool, name: "get" } };

const pinned_definition = { ...tool, description: "Finds." };

const wiki = {
  name: "wiki",
  origin: "http://127.0.0.1:9",
  read_only: true,
  tools: [{ ...find, pinned_definition }, get],
};

const servers = { servers: [{ name: "search", tools: [] }, wiki] };

const start = () =>
  startFakeZone({
    "GET /mcp-servers": servers,
    "POST /mcp-servers/wiki/approve": wiki,
  });

describe("runs", () => {
  test("a run is found by the beginning of its id, unless two runs begin with it", async () => {
    const zone = await startFakeZone({
      [listed]: page({ ...summary, run_id: first }, { ...summary, run_id: second }),
      [`GET /runs/${first}`]: { ...endedRun, run_id: first },
      "GET /runs/6122": (response) => problem(response, { kind: "run-not-found", status: 404, title: "Run not found" }),
    });
    expect((await runCli(zone.url, ["runs", "show", "6122d929"]).done).out).toContain(first);
    expect(await runCli(zone.url, ["runs", "show", "6122"]).done).toMatchObject({ code: 3, err: "Run not found.\n" });
  });

  test("an event is published with its payload, and a repetition says so", async () => {
    const bodies: unknown[] = [];
    const zone = await startFakeZone({
      "POST /events": (response, { body }) => {
        bodies.push(body);
        answerWith(response, 202, { id: "e-1", is_new: bodies.length === 1 });
      },
    });
    const publish = ["workflows", "event", "paid", "4711", "--payload", "sum=3", "--id", "e-1"];
    expect(await runCli(zone.url, publish).done).toMatchObject({ code: 0, out: "The event is stored\n" });
    expect(await runCli(zone.url, publish).done).toMatchObject({ code: 0, out: "The event was stored before\n" });
    const event = { name: "paid", key: "4711", id: "e-1", payload: { sum: 3 } };
    expect(bodies).toEqual([event, event]);
  });

  test("an empty list of runs says so, instead of showing a header without rows", async () => {
    const zone = await startFakeZone({
      "GET /runs?limit=20&state=failed": page(),
    });
    expect(await runCli(zone.url, ["runs", "list", "--state", "failed"]).done).toEqual({
      code: 0,
      out: "No runs.\n",
      err: "",
    });
  });

  test("a retry says that the answer will be posted only for a run that a person in Slack asked for", async () => {
    const zone = await startFakeZone({
      [`POST /runs/${first}/retry`]: { ...summary, run_id: first },
      [`GET /tasks/${first}`]: (response, _asked, count) =>
        count === 0
          ? answerWith(response, 200, { ...task, team: "9JU5hUpU7" })
          : problem(response, { kind: "task-not-found", status: 404 }),
    });
    const line = `run ${first} of w is running`;
    expect((await runCli(zone.url, ["runs", "retry", first]).done).out).toBe(
      `${line}. The answer will be posted in its thread.\n`,
    );
    expect((await runCli(zone.url, ["runs", "retry", first]).done).out).toBe(`${line}\n`);
  });

  test("a retry with --watch shows the run until it ends, and a run that a retry can't fix says so", async () => {
    const failed = { ...endedRun, run_id: first, state: "failed", retryable: false, output: undefined };
    const zone = await startFakeZone({
      [`POST /runs/${first}/retry`]: { ...summary, run_id: first },
      [`GET /runs/${first}/events`]: (response) => stream(response, [[{ ...endEvent, run_id: first }, 3]]),
      [`GET /runs/${first}/graph`]: { ...graphWith("succeeded", 3), run_id: first },
      [`GET /runs/${first}`]: (response, _asked, count) =>
        answerWith(response, 200, count === 0 ? { ...endedRun, run_id: first } : failed),
    });
    const watched = await runCli(zone.url, ["runs", "retry", first, "--watch"]).done;
    expect(watched).toMatchObject({ code: 0, out: "done \\u001b[31mred\n" });
    expect(watched.err).toContain("succeeded after 2.5s");
    const again = await runCli(zone.url, ["runs", "retry", first, "--watch"]).done;
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("A retry would fail the same way")]);
  });
});

describe("workflows", () => {
  test("with several files, the error names the file whose version exists with other content", async () => {
    const folder = tempFolder();
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
});

describe("mcp", () => {
  test("servers and tools are listed, a definition is escaped, and the shown definition is approved", async () => {
    const zone = await start();
    const run = (...argv: string[]) => runCli(zone.url, ["mcp", ...argv]).done;
    expect((await run()).out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["SERVER", "TOOL", "STATE", "ORIGIN"],
      ["search", "not seen yet", "not configured here"],
      ["wiki", "find", "changed", "http://127.0.0.1:9"],
      ["wiki", "get", "pinned", "http://127.0.0.1:9"],
      [""],
    ]);
    const { out } = await run("show", "wiki", "find");
    expect(out).toMatch(/^State: changed\nFingerprint: b{64}\n\nPinned:\n[^]*"Finds\."[^]*Now:\n[^]*Finds\\u001b\[2J/);
    expect(await run("approve", "wiki")).toMatchObject({ code: 0, out: "Approved: find.\n" });
    expect(await run("approve", "wiki", "get")).toMatchObject({ out: "No tools await approval.\n" });
    const [asked, ...others] = zone.requestsFor("POST /mcp-servers/wiki/approve");
    expect([asked?.body, others]).toEqual([{ tools: { find: find.fingerprint } }, []]);
    await run("approve", "wiki", "find", "--fingerprint", "c".repeat(64));
    const [, exact] = zone.requestsFor("POST /mcp-servers/wiki/approve");
    expect(exact?.body).toEqual({ tools: { find: "c".repeat(64) } });
    expect(await run("approve", "wiki", "--fingerprint", "c")).toMatchObject({ code: 2 });
  });

  test("without servers, the list says how to configure them", async () => {
    const zone = await startFakeZone({ "GET /mcp-servers": { servers: [] } });
    const out = "No MCP servers. Configure them with MCP_FILE of the execution zone.\n";
    expect(await runCli(zone.url, ["mcp"]).done).toMatchObject({ code: 0, out });
  });

  test("an unknown server or tool is reported with similar names", async () => {
    const zone = await start();
    expect(await runCli(zone.url, ["mcp", "approve", "wik"]).done).toMatchObject({
      code: 2,
      err: expect.stringContaining('No MCP server is called "wik". Did you mean wiki?') as string,
    });
    expect(await runCli(zone.url, ["mcp", "show", "wiki", "fin"]).done).toMatchObject({
      code: 2,
      err: expect.stringContaining('wiki has no tool "fin". Did you mean find?') as string,
    });
  });
});
