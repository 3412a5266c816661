import { execFile } from "node:child_process";
import type { RequestListener } from "node:http";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { createMcpRoute } from "@crosszone/execution";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { createConformanceServer } from "./conformance-server.ts";

const suite = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const local = /^(localhost|127\.0\.0\.1)(:\d+)?$/;

/** Starts the suite's own tools on the routes of the zone. The suite can't send a token. */
async function startConformanceServer(): Promise<string> {
  const route = createMcpRoute({
    ask: { open: (asker) => asker },
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
});
