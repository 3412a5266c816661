import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createMcpRoute } from "@crosszone/execution";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { noteWorksWith } from "../works-with.ts";
import { createConformanceServer } from "./conformance-server.ts";

const here = (name: string): string => join(import.meta.dirname, name);
const suiteFolder = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance");
const suite = join(suiteFolder, "dist/index.js");
const { version: suiteVersion } = JSON.parse(readFileSync(join(suiteFolder, "package.json"), "utf8")) as {
  version: string;
};
const local = /^(localhost|127\.0\.0\.1)(:\d+)?$/;

/** Starts the suite's own tools on the routes of the zone. The suite can't send a token. */
async function startConformanceServer(): Promise<string> {
  const route = createMcpRoute({
    ask: { open: (asker) => asker, cancelCall: async () => undefined },
    authenticate: async () => ({ actor: "token:suite", agents: [], openTasks: 1 }),
    emit: () => undefined,
    limits: { maxBytes: 1_000_000, maxDepth: 64, maxWaitMs: 1_000 },
    createServer: createConformanceServer,
  });
  // The listener of the zone checks these.
  const isLocal: (request: Parameters<RequestListener>[0]) => boolean = ({ headers: { host = "", origin } }) =>
    local.test(host) && (origin === undefined || local.test(new URL(origin).host));
  const server = createHttpServer((request, response) => {
    if (isLocal(request)) void route(request, response, () => response.destroy());
    else response.writeHead(403).end("{}");
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 500 })));
  return `${url}/mcp`;
}

/**
 * Versions before 2026-07-28 ask clients over a connection that a session keeps. This server has no sessions, so that any process can answer
 * any request: its results say what a person has to answer, and a tool takes the answer.
 */
const needsSessions = [
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
];

test.each<[string, readonly string[]]>([
  ["2026-07-28", []],
  ["2025-11-25", needsSessions],
])("C1: the server conforms to MCP %s", async (version, expected) => {
  const url = await startConformanceServer();
  const args = [suite, "server", "--url", url, "--requirements", version, "-o", tempFolder({})];
  const ran = promisify(execFile)(process.execPath, args, { timeout: 100_000, maxBuffer: 1 << 26 });
  const failed = (error: { readonly stdout: string }): typeof error => error;
  const { stdout } = await ran.catch(failed);
  const [, summary = ""] = stdout.split("=== SUMMARY ===");
  const notScored = new Set(Array.from(summary.matchAll(/✗ (\S+) \(/g), ([, name]) => name));
  const scenarios = Array.from(summary.matchAll(/([✓✗]) (\S+): \d+ passed/g), ([, mark, name]) => ({ mark, name }));
  expect(scenarios.length).toBeGreaterThanOrEqual(30);
  const missed = scenarios.filter(({ mark, name }) => mark === "✗" && !notScored.has(name));
  expect(missed.map(({ name }) => name)).toEqual(expected);
  const scored = scenarios.filter(({ name }) => !notScored.has(name)).length;
  const row = { name: `MCP conformance, server, ${version}`, version: suiteVersion, as: "suite" } as const;
  const note = expected.length > 0 && {
    note: "In the rest the server asks the client, for which it would have to keep sessions.",
  };
  noteWorksWith({ ...row, passed: scored - missed.length, of: scored, ...note });
});

test("the MCP client passes the conformance suite of 2026-07-28, except for what is listed with a reason", async () => {
  const node = [process.execPath, "--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning"];
  const command = [...node, here("conformance-client.ts")].join(" ");
  const revision = ["--requirements", "2026-07-28", "--timeout", "15000"];
  const args = [
    suite,
    "client",
    "--command",
    command,
    ...revision,
    "--expected-failures",
    here("client-failures.yaml"),
  ];
  // Rejects with the suite's report when its exit code is not 0.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
  const report = stdout + stderr;
  expect(report).toMatch(/✓ tools_call: /);
  expect(report).toMatch(/✓ auth\/client-credentials-jwt: /);
  expect(report).not.toMatch(/✗ auth\/client-credentials/);
  const marks = Array.from(report.matchAll(/^([✓✗]) \S+: /gm), ([, mark]) => mark);
  const passed = marks.filter((mark) => mark === "✓").length;
  const note = "The rest needs a person who logs in, or grants that `MCP_FILE` doesn't have.";
  const row = { name: "MCP conformance, client, 2026-07-28", version: suiteVersion, as: "suite" } as const;
  noteWorksWith({ ...row, passed, of: marks.length, note });
}, 120_000);
