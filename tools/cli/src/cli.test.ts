import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { problem, startFakeZone } from "./testing/fake-zone.ts";
import { runCli } from "./testing/run-cli.ts";
import { endedRun, runningZone, summary } from "./testing/run-fixture.ts";

const nowhere = "http://127.0.0.1:1";

const yaml = `workflow_id: w
name: W
version: "1"
start_step: ask
steps:
  ask:
    id: ask
    type: agent
    agent_name: Asker
    input_mapping: \${workflow.input.text}
`;

describe("a run", () => {
  test("prints each change on a line without a terminal, and only its output on the standard output", async () => {
    const zone = await runningZone();
    const { code, out, err } = await runCli(zone.url, ["run", "w", "--input", "text=hello", "--timeout", "5m"]);
    expect([code, out]).toEqual([0, "done \\u001b[31mred\n"]);
    expect(err.split("\n").map((line) => line.trimEnd())).toEqual([
      `w 1: ${zone.url}/console/runs/run-1`,
      "running    Ask (Asker)",
      "succeeded  Ask (Asker · 2.0s)",
      "succeeded after 2.5s",
      "",
    ]);
    const [asked] = zone.requestsFor("POST /runs");
    expect(asked?.body).toEqual({ workflow_id: "w", input: { text: "hello" }, deadline_ms: 300_000 });
    expect(asked?.headers["idempotency-key"]).toMatch(/^[\da-f-]{36}$/);
  });

  test("is one JSON document with --json", async () => {
    const zone = await runningZone();
    const json = await runCli(zone.url, ["run", "w", "--json"]);
    expect(JSON.parse(json.out)).toEqual(endedRun);
    expect(zone.requestsFor("POST /runs")).toMatchObject([{ body: { workflow_id: "w" } }]);
  });

  test("that failed reports why and how to continue, and exits 1", async () => {
    const error = {
      kind: "agent_failed",
      message: "Asker said no.",
      path: "ask",
      agent_error: { code: -32000, kind: "rpc_error", message: "no\u001b[2J", retryable: false },
    };
    const { output: _none, ...rest } = endedRun;
    const zone = await runningZone({
      "GET /runs/run-1": { ...rest, state: "failed", error },
    });
    const { code, out, err } = await runCli(zone.url, ["runs", "watch", "run-1"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("failed after 2.5s\nAsker said no. (agent_failed at ask)\n  The agent: no\\u001b[2J\n");
    expect(err).toContain("crosszone runs retry run-1");
  });

  test("that is running is shown with the time so far of the run and its steps, and its deadline", async () => {
    const started_at = new Date(Date.now() - 125_000).toISOString();
    const { ended_at: _end, output: _none, ...rest } = endedRun;
    const steps = [
      { path: "ask", step_id: "ask", type: "agent", agent_name: "Asker", state: "running", attempt: 1, started_at },
    ];
    const going = { ...rest, state: "running", started_at, deadline: "2026-03-01T11:00:00.000Z", steps };
    const zone = await runningZone({ "GET /runs/run-1": going });
    const { out } = await runCli(zone.url, ["runs", "show", "run-1"]);
    expect(out).toMatch(/^deadline +2026-03-01T11:00:00\.000Z$/m);
    expect(out).toMatch(/^ask +running +Asker +1 +2m 0\ds so far$/m);
  });
});

describe("a definition", () => {
  test("is validated without a zone: all problems of all files by line, exit code 1", async () => {
    const folder = tempFolder({
      "good.yaml": yaml,
      "bad.yaml": yaml
        .replace("start_step: ask", "start_step: gone")
        .replace("input.text}", "input.text} ${no.output}"),
      "bad.json": '{"workflow_id": ',
      "braces.yaml": yaml.replace("${workflow.input.text}", "{{workflow.input.text}}"),
      "odd.yaml": yaml.replace("${workflow.input.text}", '"{{workflow.input.text}}"'),
    });
    const odd = await runCli(nowhere, ["validate", join(folder, "odd.yaml")]);
    expect(odd).toMatchObject({ code: 0, out: expect.stringContaining("valid") as unknown });
    expect(odd.err).toContain("warning: /steps/ask/input_mapping contains {{workflow.input.text}}");
    const files = ["good.yaml", "bad.yaml", "bad.json", "braces.yaml", "none.yaml"].map((name) => join(folder, name));
    const { code, out, err } = await runCli(nowhere, ["validate", ...files]);
    expect([code, out]).toEqual([1, `${files[0]}: valid\n`]);
    const lines = err.replaceAll(`${folder}/`, "").trimEnd().split("\n");
    expect(lines[0]).toMatch(/^bad\.yaml:4:1: \/start_step /);
    expect(lines.find((line) => line.startsWith("bad.yaml:10:5: /steps/ask/input_mapping"))).toBeDefined();
    expect(lines.find((line) => line.startsWith("bad.json:1:"))).toBeDefined();
    expect(lines.find((line) => line.startsWith("braces.yaml:10:21: a key must be a text: put quotes"))).toBeDefined();
    expect(lines.at(-1)).toBe("No such file: none.yaml");
  });
});

describe("errors", () => {
  test.each<[string[], RegExp]>([
    [["rnu"], /Unknown command "rnu"\. Did you mean run\?/],
    [["programs"], /A command is missing\. Expected one of: mcp\.[^]*crosszone programs --help/],
    [["runs", "shwo"], /Unknown command "shwo"\. Did you mean runs show\?\n/],
    [["runs", "explode"], /Expected one of: list, show, watch, cancel, retry/],
    [["run", "w", "--jsno"], /Unknown option "--jsno"\. Did you mean --json\?[^]*crosszone run --help/],
    [["run"], /<workflow> is missing\. Usage: crosszone run \[options\] <workflow>/],
    [["run", "w", "x"], /Too many arguments for "run"\. Expected 1 argument but got 2: w, x\./],
    [["run", "w", "--input"], /argument missing/],
    [["run", "w", "--input", "hello"], /neither JSON/],
    [["run", "w", "--timeout", "soon"], /--timeout must be a duration/],
    [["run", "w", "--idempotency-key", "é"], /printable ASCII/],
    [["runs", "--limit", "-1"], /--limit/],
    [["runs", "--state", "faild"], /Did you mean failed\?/],
  ])("%j is a usage error and exits 2", async (argv, sentence) => {
    const { code, out, err } = await runCli(nowhere, argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(sentence);
  });

  test("an unreachable zone, a wrong token and a refused request exit 3", async () => {
    const away = await runCli(nowhere, ["runs"]);
    expect(away).toMatchObject({ code: 3, out: "", err: expect.stringContaining("CROSSZONE_URL") as unknown });
    const problems = [{ pointer: "/input/text", message: "is missing\u001b[2J" }];
    const zone = await startFakeZone({
      "POST /runs": (response) =>
        problem(response, { kind: "invalid-input", status: 422, detail: "See `problems`.", problems }),
      "GET /runs/run-1": (response) =>
        problem(response, { kind: "unauthorized", status: 401, detail: "Not this one." }),
    });
    const refused = await runCli(zone.url, ["run", "w"]);
    const where = "It is refused. Its input_schema is in: crosszone workflows show w";
    expect(refused).toEqual({ code: 3, out: "", err: `${where}\n  text is missing\\u001b[2J\n` });
    const other = await runCli(zone.url, ["runs", "show", "run-1"]);
    expect(other).toMatchObject({ code: 3, err: expect.stringContaining("CROSSZONE_TOKEN") as unknown });
  });

  test("an unknown workflow is reported with similar names, an unknown version with the latest", async () => {
    const workflows = [{ workflow_id: "publish-text", version: "1", name: "P", created_at: summary.created_at }];
    const zone = await startFakeZone({
      "POST /runs": (response) => problem(response, { kind: "workflow-not-found", status: 404 }),
      "GET /workflows/publish-txt": (response) => problem(response, { kind: "workflow-not-found", status: 404 }),
      "GET /workflows?limit=200": { workflows, total: 1 },
    });
    for (const argv of [
      ["run", "publish-txt"],
      ["workflows", "show", "publish-txt"],
    ])
      expect(await runCli(zone.url, argv)).toMatchObject({
        code: 3,
        err: "No such workflow. Did you mean publish-text?\n",
      });
    expect((await runCli(zone.url, ["run", "other"])).err).toContain("crosszone workflows lists them.");
    const version = await runCli(zone.url, ["run", "publish-text", "--version", "9"]);
    expect(version).toMatchObject({ code: 3, err: "publish-text has no such version. The latest is 1.\n" });
  });
});
