import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { json } from "node:stream/consumers";
import { startDevAgents } from "@crosszone/dev-agents";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { rowsAfter } from "../harness/browser.ts";
import { startPeer } from "../harness/consult-doctor.ts";
import { expectEachOutcome, faultAgents } from "../harness/fault-agents.ts";
import { startHttpAgent, type HttpAgent } from "../harness/start-http-agent.ts";
import { askAgent, startTaskProcess, startOpenExecution } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

// One process with all roles on SQLite, the default. `tests/full/bridge-executor.test.ts` tests Kafka and PostgreSQL.
vi.setConfig({ testTimeout: 120_000 });

const soon = { timeout: 60_000, interval: 10 };

/** Returns the bridge's calls by state. */
function callStates(database: string): Record<string, number> {
  // The zone's file is in the folder of the database.
  const path = resolve(database.slice("sqlite:".length), "../execution.sqlite");
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = file
      .prepare(
        "select coalesce(outcome, 'open') as state, count(*) as number from job where kind = 'agent_call' group by 1",
      )
      .all();
    return Object.fromEntries(rows.map(({ state, number }) => [String(state), Number(number)]));
  } finally {
    file.close();
  }
}

test("R8.6, N4, B10, B14: whatever an agent does wrong, its caller gets one correct result, and only one loop retries", async () => {
  const dev = await startDevAgents({ slowMs: 500, taskMs: 500 });
  onTestFinished(() => dev.close());
  const agents = faultAgents(dev);
  const database = await newSqliteDatabase();
  const AGENTS_FILE = writeAgentsFile(agents.map(({ settings }) => settings));
  const zone = await startTaskProcess(database, { AGENTS_FILE, AGENT_ORIGINS: dev.url });
  await expectEachOutcome(zone, agents);
  expect(callStates(database)).toEqual({ succeeded: 11, failed: 15 });
});

/** Prepares a process on its own database file. Each start uses the same file. */
async function prepare(agents: Readonly<Record<string, HttpAgent>>) {
  const database = await newSqliteDatabase();
  const settings = Object.entries(agents).map(([name, { url }]) => ({
    name,
    url,
    max_concurrency: 100,
    timeout_ms: 240_000,
  }));
  const origins = Object.values(agents).map(({ origin }) => origin);
  const env = { AGENTS_FILE: writeAgentsFile(settings), AGENT_ORIGINS: origins.join(",") };
  return { database, start: () => startTaskProcess(database, env) };
}

test("N5, B12: a task that is canceled during a call is aborted at the agent, and stays canceled whatever the agent answers", async () => {
  const answers = Promise.withResolvers<string>();
  const agent = await startHttpAgent(() => answers.promise);
  const { database, start } = await prepare({ A: agent });
  const zone = await start();
  const tasks = await Promise.all(Array.from({ length: 20 }, (_, n) => askAgent(zone, "A", `question ${n}`)));
  await vi.waitFor(() => expect(agent.requests).toHaveLength(20), soon);
  const canceled = tasks.slice(0, 10);
  for (const task_id of canceled)
    expect(await zone.call("cancel_task", { task_id })).toMatchObject({ status: "canceled" });
  await vi.waitFor(() => expect(agent.requests.filter(({ left }) => left)).toHaveLength(10), soon);
  answers.resolve("answered");
  for (const task of canceled) await expect(zone.result(task)).rejects.toMatchObject({ data: { kind: "canceled" } });
  for (const task of tasks.slice(10)) expect(await zone.result(task)).toMatchObject({ response_text: "answered" });
  const left = agent.requests.filter((request) => request.left).map(({ id }) => id);
  expect(left.toSorted()).toEqual(canceled.toSorted());
  expect(callStates(database)).toEqual({ canceled: 10, succeeded: 10 });
});

const page = readFileSync(resolve(import.meta.dirname, "../../docs/reference/a2a-wire.md"), "utf8");

/** Headers of HTTP itself. */
const ofHttp = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "host",
  "transfer-encoding",
]);

interface Sent {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const task = { id: "task-9", contextId: "ctx-1" };

const cardAt = (host = ""): object => ({
  name: "Breaking",
  description: "Breaks its stream.",
  version: "1.0.0",
  capabilities: { streaming: true, extensions: [{ uri: "https://kagent.dev/extensions/hitl/v1" }] },
  skills: [],
  supportedInterfaces: [{ url: `http://${host}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
});

/** Starts an agent of A2A 1.0 whose stream breaks and whose task is completed when polled. Returns its URL and its requests. */
async function startBreakingAgent(): Promise<{ readonly url: string; readonly sent: readonly Sent[] }> {
  const sent: Sent[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers } = request;
    if (request.method === "GET") {
      response.end(JSON.stringify(cardAt(headers.host)));
      return;
    }
    const { id, method } = (await json(request)) as { readonly id: string; readonly method: string };
    sent.push({ method, headers });
    const isPoll = method === "GetTask";
    const working = { task: { ...task, status: { state: "TASK_STATE_WORKING" } } };
    const artifacts = [{ artifactId: "a", parts: [{ text: "Hi." }] }];
    const result = isPoll ? { ...task, artifacts, status: { state: "TASK_STATE_COMPLETED" } } : working;
    const reply = JSON.stringify({ jsonrpc: "2.0", id, result });
    response.setHeader("content-type", isPoll ? "application/json" : "text/event-stream");
    response.end(isPoll ? reply : `data: ${reply}\n\n`);
  };
  return { url: await startPeer((request, response) => void answer(request, response)), sent };
}

test("R9.1: the wire page lists every header that agents get, and the methods in the order of their calls", async () => {
  const { url, sent } = await startBreakingAgent();
  const auth = { type: "bearer", token: "env:AGENT_SECRET_BREAKING" } as const;
  const AGENTS_FILE = writeAgentsFile([{ name: "breaking", url, auth }]);
  const zone = await startOpenExecution({
    AGENTS_FILE,
    AGENT_ORIGINS: "http://127.0.0.1:*",
    AGENT_SECRET_BREAKING: "secret-of-the-agent",
  });
  const params = { channel: "C1", bot_token: "none", agent: "breaking", text: "Hello" };
  await fetch(`${zone.url}/rpc`, {
    method: "POST",
    headers: { "content-type": "application/json", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
    body: JSON.stringify({ jsonrpc: "2.0", id: "t1", method: "execute_task", params }),
  });
  await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(3);
  expect(sent.map(({ method }) => method)).toEqual(["SendStreamingMessage", "SubscribeToTask", "GetTask"]);
  const names = new Set(sent.flatMap(({ headers }) => Object.keys(headers)).filter((name) => !ofHttp.has(name)));
  const shown = rowsAfter(page, "headers").map(([name = ""]) => name.replaceAll("`", ""));
  expect([...names].toSorted()).toEqual(shown);
  expect(sent.map(({ headers }) => "idempotency-key" in headers)).toEqual([true, false, false]);
  expect(sent.map(({ headers }) => headers["a2a-version"])).toEqual(["1.0", "1.0", "1.0"]);
});
