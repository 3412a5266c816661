import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { rowsAfter } from "../harness/read-page.ts";
import { startOpenExecution } from "../harness/start-task-process.ts";
import { startPeer } from "../harness/start-peer.ts";
import { writeAgentsFile } from "../harness/write-definitions.ts";

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
  capabilities: { streaming: true },
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
    const result = isPoll ? { ...task, status: { state: "TASK_STATE_COMPLETED" } } : working;
    const reply = JSON.stringify({ jsonrpc: "2.0", id, result });
    response.setHeader("content-type", isPoll ? "application/json" : "text/event-stream");
    response.end(isPoll ? reply : `data: ${reply}\n\n`);
  };
  return { url: await startPeer((request, response) => void answer(request, response)), sent };
}

test("R9.1: the wire page lists every header that agents get, and the methods in the order of their calls", async () => {
  const { url, sent } = await startBreakingAgent();
  const auth = { type: "bearer", token: "env:AGENT_SECRET_BREAKING" } as const;
  const AGENTS_FILE = await writeAgentsFile([{ name: "breaking", url, auth }]);
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
