import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { answerWith, problem, startFakeZone, stream } from "../testing/fake-zone.ts";
import { endedRun, endEvent, graphWith, summary } from "../testing/run-fixture.ts";
import { task } from "../testing/records.ts";
import { runCli, testCommands } from "../testing/run-cli.ts";

const [first, second] = ["6122d929-1a2b-4c3d-8e4f-000000000001", "6122ffff-1a2b-4c3d-8e4f-000000000002"];

const page = (...runs: object[]) => ({ runs });

const [firstBeginning, both] = ["6122d929", "6122"].map((id) => `GET /runs?id=${id}&limit=3`);
const waiting = { ...summary, run_id: first, waits_for: ["U1"] };

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

const run = { ...summary, run_id: first };
const event = { name: "paid", key: "4711", id: "e-1", payload: { sum: 3 } };
const publish = "workflows event paid 4711 --payload sum=3 --id e-1";
const approve = "POST /mcp-servers/wiki/approve";

testCommands(
  {
    [firstBeginning ?? ""]: page(run),
    [both ?? ""]: page(run, { ...summary, run_id: second }),
    "GET /runs?limit=20&state=running&waiting=true": page(waiting),
    "GET /runs?limit=20&state=running&waiting=false": page(run),
    "GET /runs?limit=20&open=true": page(run, waiting),
    [`GET /runs/${first}`]: { ...endedRun, run_id: first },
    "GET /runs?limit=20&state=failed": page(),
    "POST /events": (response) => answerWith(response, 202, { id: "e-1", is_new: true }),
    "GET /mcp-servers": servers,
    [approve]: wiki,
  },
  [
    ["a run is found by the beginning of its id", "runs show 6122d929", { out: [first] }],
    ["Q32: two runs that begin so are named", "runs show 6122", { code: 2, err: [`${first}, ${second}. Type more`] }],
    ...["--state waiting", "--waiting"].map(
      (option) =>
        [
          `Q26: runs that wait for people: ${option}`,
          `runs list ${option}`,
          { out: [/^6122d929 .* waiting /m] },
        ] as const,
    ),
    ["Q26: a run that waits is not running", "runs list --state running", { out: [/^6122d929 .* running /m] }],
    ["Q26: both have not ended", "runs list --open", { out: [/ running [^]* waiting /] }],
    ["Q26: an unknown state names all", "runs list --state waitin", { code: 2, err: ["Did you mean waiting?"] }],
    ["an empty list of runs says so, instead of a header", "runs list --state failed", { out: "No runs.\n" }],
    [
      "an event is published with its payload",
      publish,
      { out: "The event is stored\n", sends: [["POST /events", event]] },
    ],
    [
      "an event that was published before says so",
      publish,
      {
        zone: { "POST /events": { id: "e-1", is_new: false } },
        out: "The event was stored before\n",
        sends: [["POST /events", event]],
      },
    ],
    [
      "servers and tools are listed",
      "mcp",
      {
        out: [
          /^SERVER +TOOL +STATE +ORIGIN\nsearch +not seen yet +not configured here\n/,
          /\nwiki +find +changed +http:\/\/127\.0\.0\.1:9\nwiki +get +pinned +http:\/\/127\.0\.0\.1:9\n$/,
        ],
      },
    ],
    [
      "J32: a tool that can't be offered was not listed",
      "mcp",
      {
        zone: {
          "GET /mcp-servers": {
            servers: [{ name: "wiki", tools: [], left_out: [{ name: "odd\u001b", because: "it has no name" }] }],
          },
        },
        out: /\nwiki +odd\S* +left out: it has no name +not configured here\n$/,
      },
    ],
    [
      "the definitions of a tool are escaped",
      "mcp show wiki find",
      { out: /^State: changed\nFingerprint: b{64}\n\nPinned:\n[^]*"Finds\."[^]*Now:\n[^]*Finds\\u001b\[2J/ },
    ],
    [
      "the shown definition is approved",
      "mcp approve wiki",
      { out: "Approved: find.\n", sends: [[approve, { tools: { find: find.fingerprint } }]] },
    ],
    ["a pinned tool awaits no approval", "mcp approve wiki get", { out: "No tools await approval.\n" }],
    [
      "an exact definition is approved",
      `mcp approve wiki find --fingerprint ${"c".repeat(64)}`,
      { out: /./, sends: [[approve, { tools: { find: "c".repeat(64) } }]] },
    ],
    ["a fingerprint is of one tool", "mcp approve wiki --fingerprint c", { code: 2, err: /./ }],
    [
      "without servers, the list says how to configure them",
      "mcp",
      {
        zone: { "GET /mcp-servers": { servers: [] } },
        out: "No MCP servers. Configure them with the section mcp of EXECUTION_FILE.\n",
      },
    ],
    [
      "an unknown server gets the nearest one",
      "mcp approve wik",
      { code: 2, err: ['No MCP server is called "wik". Did you mean wiki?'] },
    ],
    [
      "an unknown tool gets the nearest one",
      "mcp show wiki fin",
      { code: 2, err: ['wiki has no tool "fin". Did you mean find?'] },
    ],
  ],
);

describe("runs", () => {
  test("a retry says that the answer will be posted only for a run that a person in Slack asked for", async () => {
    const zone = await startFakeZone({
      [`POST /runs/${first}/retry`]: run,
      [`GET /tasks/${first}`]: (response, _asked, count) =>
        count === 0
          ? answerWith(response, 200, { ...task, task_id: first, team: "9JU5hUpU7" })
          : problem(response, { kind: "task-not-found", status: 404 }),
    });
    const line = "run 6122d929 of w is running";
    expect((await runCli(zone.url, ["runs", "retry", first])).out).toBe(
      `${line}. The answer will be posted in its thread.\n`,
    );
    expect((await runCli(zone.url, ["runs", "retry", first])).out).toBe(`${line}\n`);
  });

  test("a retry with --watch shows the run until it ends, and a run that a retry can't fix says so", async () => {
    const failed = { ...endedRun, run_id: first, state: "failed", retryable: false, output: undefined };
    const zone = await startFakeZone({
      [`POST /runs/${first}/retry`]: run,
      [`GET /runs/${first}/events`]: (response) => stream(response, [[{ ...endEvent, run_id: first }, 3]]),
      [`GET /runs/${first}/graph`]: { ...graphWith("succeeded", 3), run_id: first },
      [`GET /runs/${first}`]: (response, _asked, count) =>
        answerWith(response, 200, count === 0 ? { ...endedRun, run_id: first } : failed),
    });
    const watched = await runCli(zone.url, ["runs", "retry", first, "--watch"]);
    expect(watched).toMatchObject({ code: 0, out: "done \\u001b[31mred\n" });
    expect(watched.err).toContain("succeeded after 2.5s");
    const again = await runCli(zone.url, ["runs", "retry", first, "--watch"]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("A retry would fail the same way")]);
  });
});

describe("workflows", () => {
  test("what only the zone finds wrong in a definition is told by the line of its file", async () => {
    const problems = [{ pointer: "/steps/ask/agent_name", message: "is no agent" }];
    const zone = await startFakeZone({
      "POST /workflows": (response) => problem(response, { kind: "invalid-body", status: 422, problems }),
    });
    const file = join(tempFolder({ "w.json": JSON.stringify(endedRun.definition, undefined, 2) }), "w.json");
    const told = await runCli(zone.url, ["workflows", "create", file]);
    expect(told).toEqual({ code: 1, out: "", err: `${file}:10:7: /steps/ask/agent_name is no agent\n` });
  });

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
    const told = await runCli(zone.url, ["workflows", "create", ...files]);
    expect(told).toEqual({ code: 3, out: "w 1 is stored\n", err: `${files[1]}: It is refused. Take another.\n` });
  });
});
