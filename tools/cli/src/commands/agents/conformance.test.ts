import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createGoodAgent, createSimpleFixture, serveFixture, type Deviation } from "@crosszone/conformance/testing";
import { isConformanceReport } from "@crosszone/contracts";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { runCli } from "../../testing/run-cli.ts";

const run = (argv: readonly string[], env?: Record<string, string>) =>
  runCli("http://127.0.0.1:1", ["conformance", ...argv], { env });

const serve = (deviation: Deviation = {}): Promise<string> =>
  serveFixture((url) => createGoodAgent({ versions: ["1.0"], ...deviation }, url));

const noGetTask: Deviation = {
  methods: () => ({ GetTask: async () => ({ id: "1", status: { state: "TASK_STATE_COMPLETED" } }) }),
};

test("K1: a compliant agent exits 0 with a summary", async () => {
  const { code, out } = await run([await serve(), "--ask", "ask", "--file", "file", "--fail", "fail"]);
  expect(out).toMatch(/^Good agent {2}http:\/\/127\.0\.0\.1:\d+\/ {2}A2A 1\.0\n/);
  expect(out).toMatch(/\nCompliant: \d+ passed, 0 failed, 0 warned, \d+ skipped in \S+s\.\n$/);
  expect(code).toBe(0);
});

test("R10.3: an agent that does not comply exits 1 with the rule, the exchange and the fix", async () => {
  const { code, out } = await run([await serve(noGetTask)]);
  expect(code).toBe(1);
  expect(out).toContain("✗ get-unknown (A2A 1.0): Rejects an unknown task with -32001\n  Problem   ");
  expect(out).toMatch(/\n {2}Source {4}https:\/\/a2a-protocol\.org\/v1\.0\.0\/\S+\n {2}Sent {6}POST http/);
  expect(out).toMatch(/\n {2}Received {2}HTTP 200 application\/json\n {12}\{"jsonrpc".+\n {2}Fix {7}Serve GetTask/);
});

test("K1: what the specification leaves open is a hint", async () => {
  const url = await serve({
    http: async (response) => {
      const body = await response.clone().text();
      return body.includes('"error"') ? new Response(body, { status: 400, headers: response.headers }) : response;
    },
  });
  const { code, out } = await run([url]);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining("\ni http-status (A2A 1.0): Sends JSON-RPC errors with HTTP 200\n"),
  ]);
  expect(out).toMatch(/\nCompliant: \d+ passed, 0 failed, 0 warned, 1 hint, \d+ skipped/);
});

test("R10.3: a report as JSON has the shape of the contract", async () => {
  const { code, out } = await run([await serveFixture(() => createSimpleFixture()), "--json"]);
  const report: unknown = JSON.parse(out);
  expect(isConformanceReport(report)).toBe(true);
  expect(report).toMatchObject({ protocols: ["simple-a2a"], compliant: true });
  expect(code).toBe(0);
});

test("R10.3: a JUnit file has correct counts, and replaces characters that XML can't have", async () => {
  const folder = tempFolder();
  const message = 'Task "<&>" \u0000\u0008 \ud800 is unknown\n\t]]>';
  const url = await serve({
    response: (response) => ("error" in response ? { ...response, error: { code: "none", message } } : response),
  });
  const files = ["--junit", join(folder, "junit.xml"), "--badge", join(folder, "badge.svg")];
  const { code } = await run([url, ...files]);
  expect(code).toBe(1);
  const [junit = "", badge = ""] = ["junit.xml", "badge.svg"].map((name) => readFileSync(join(folder, name), "utf8"));
  expect([XMLValidator.validate(junit), XMLValidator.validate(badge)]).toEqual([true, true]);
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === "testcase" });
  const { testsuites } = parser.parse(junit) as { testsuites: { testsuite: Record<string, unknown> } };
  const cases = testsuites.testsuite["testcase"] as readonly Record<string, unknown>[];
  const counted = (member: string): string => String(cases.filter((each) => member in each).length);
  expect(testsuites.testsuite).toMatchObject({
    "@_name": "A2A 1.0",
    "@_tests": String(cases.length),
    "@_failures": counted("failure"),
    "@_skipped": counted("skipped"),
    "@_errors": "0",
  });
  expect(badge).toContain("<title>A2A 1.0: 1 failed</title>");
});

test("a credential goes to the agent, to no other origin, and never into the report", async () => {
  const seen: (string | null)[] = [];
  const foreign = await serveFixture(() => async (input, init) => {
    seen.push(new Request(input, init).headers.get("authorization"));
    return Response.json({}, { status: 404 });
  });
  const url = await serveFixture((own) => {
    const agent = createGoodAgent(
      {
        versions: ["1.0"],
        card: (card) => ({
          ...card,
          description: "Knows s3cret-token",
          supportedInterfaces: [{ url: foreign, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
        }),
      },
      own,
    );
    return async (input, init) =>
      new Request(input, init).headers.get("authorization") === "Bearer s3cret-token"
        ? agent(input, init)
        : Response.json({ error: "unauthorized" }, { status: 401 });
  });
  const { code, out } = await run([url, "--bearer", "env:MY_TOKEN", "--json"], { MY_TOKEN: "s3cret-token" });
  const { checks } = JSON.parse(out) as {
    readonly checks: readonly { readonly id: string; readonly status: string }[];
  };
  const failed = checks.filter(({ status }) => status === "failed").map(({ id }) => id);
  expect([code, failed]).toEqual([1, ["card-url-answers"]]);
  expect(out).not.toContain("s3cret-token");
  expect(out).toContain("Knows [secret]");
  expect(new Set(seen)).toEqual(new Set([null]));
});

test("an agent that can't be reached exits 3", async () => {
  const { code, out } = await run(["http://127.0.0.1:2/"]);
  expect([code, out]).toEqual([3, expect.stringContaining("protocol-spoken")]);
});

test.each([
  [[], "Missing argument"],
  [["agent.example.com"], 'must start with http:// or https://, got "agent.example.com"'],
  [["http://127.0.0.1:2", "--protocol", "a2a"], "--protocol must be a2a-1.0, jsonrpc-2.0, simple-a2a"],
  [["http://127.0.0.1:2", "--bearer", "token"], "--bearer must be env:NAME"],
  [["http://127.0.0.1:2", "--bearer", "env:NOT_SET"], "NOT_SET, which is not set"],
  [["http://127.0.0.1:2", "--header", "no colon"], '--header must be "Name: value"'],
])("a wrong command line exits 2: %j", async (argv, words) => {
  const { code, err } = await run(argv);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

test("R10.3: the checklist is printed", async () => {
  const { code, out } = await run(["--list"]);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/\nget-task: Returns a task by its id\n[^]+\n\d{3} checks\.\n$/),
  ]);
});
