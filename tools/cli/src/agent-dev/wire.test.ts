import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { json, text as textOf } from "node:stream/consumers";
import { serve } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import type { AgentState } from "./start-agent.ts";
import { createWireDisplay } from "./wire-display.ts";
import { converse } from "./run-dev.ts";
import { findAgent, startProxy } from "./start-proxy.ts";
import type { WireExchange } from "./wire-exchange.ts";

interface Rpc {
  readonly id: string;
  readonly method: string;
  readonly params: { readonly message: { readonly contextId: string; readonly taskId?: string } };
}

type Answer = (rpc: Rpc, count: number) => object | readonly object[];

/** An agent that answers JSON-RPC: an object is a result, a list a stream of results. */
async function startAgent(card: object | undefined, answer: Answer): Promise<string> {
  let count = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "GET") return response.writeHead(card ? 200 : 404).end(JSON.stringify(card));
    const rpc = (await json(request)) as Rpc;
    const said = answer(rpc, count++);
    const of = (result: object): string => JSON.stringify(rpc.method ? { jsonrpc: "2.0", id: rpc.id, result } : result);
    if (!Array.isArray(said)) return response.end(of(said));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of said as object[]) response.write(`data: ${of(event)}\n\n`);
    return response.end();
  };
  return serve((request, response) => void respond(request, response));
}

/** Sends one request as it is, and returns the status and the body. */
async function raw(url: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write([...lines, "connection: close", "", ""].join("\r\n"));
  const response = await textOf(socket);
  return `${response.split(" ")[1]} ${response.split("\r\n\r\n")[1]}`;
}

async function proxyOf(url: string, state?: () => Promise<AgentState>) {
  const lines: string[] = [];
  const exchanges: WireExchange[] = [];
  const display = createWireDisplay((line) => void lines.push(line), false);
  const proxy = await startProxy(state ?? (() => Promise.resolve({ url })), (what, exchange, event) => {
    if (what === "request") exchanges.push(exchange);
    display.onWire(what, exchange, event);
  });
  onTestFinished(() => proxy.close());
  return { ...proxy, lines, exchanges };
}

const card = (version: string, streaming = false): object => ({
  name: "A",
  capabilities: { streaming },
  supportedInterfaces: [{ url: "http://localhost:1/", protocolBinding: "JSONRPC", protocolVersion: version }],
});
const task = (state: string, text?: string): object => ({
  id: "t1",
  status: { state },
  ...(text !== undefined && { artifacts: [{ artifactId: "a", parts: [{ text }] }] }),
});
const withoutTime = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/\(\d+ ms\)/, "(… ms)"));

test("a stream of A2A 1.0 is relayed and shown in short", async () => {
  const piece = (text: string): object => ({
    artifactUpdate: { taskId: "t1", append: true, artifact: { artifactId: "a", parts: [{ text }] } },
  });
  const { url, lines, exchanges } = await proxyOf(
    await startAgent(card("1.0", true), () => [
      { task: task("TASK_STATE_WORKING") },
      ...["one ", "two ", "three"].map(piece),
      { statusUpdate: { taskId: "t1", status: { state: "TASK_STATE_COMPLETED" } } },
    ]),
  );
  const answer = await converse().say(await findAgent(url), "count");
  expect(answer).toMatchObject({ state: "completed", text: expect.stringMatching(/^one\s+two\s+three$/) as string });
  await expect.poll(() => exchanges[0]?.duration_ms).toBeDefined();
  expect(withoutTime(lines)).toEqual([
    '→ 1 SendStreamingMessage "count"',
    "← 1 TASK_STATE_WORKING (… ms)",
    '← 1 artifact "one " (… ms)',
    "← 1 TASK_STATE_COMPLETED (… ms)",
    "← 1 … 2 more pieces (… ms)",
    expect.stringMatching(/^ {4}one/),
  ]);
});

test("polls of A2A 0.3 are shown once, and a question is continued", async () => {
  const message = { kind: "message", role: "agent", messageId: "q", parts: [{ kind: "text", text: "Which city?" }] };
  const question = { id: "t1", status: { state: "input-required", message } };
  const after = [task("working"), task("working"), task("working"), task("completed", "Sunny")];
  let isAnswered = false;
  const agent = await startAgent({ url: "http://localhost:1/", protocolVersion: "0.3.0", name: "A" }, (rpc) => {
    isAnswered ||= rpc.method === "message/send" && rpc.params.message.taskId === "t1";
    return { kind: "task", ...(isAnswered ? after.shift() : question) };
  });
  const { url, lines } = await proxyOf(agent);
  const found = await findAgent(url);
  const conversation = converse();
  expect(await conversation.say(found, "Weather?")).toMatchObject({ state: "input-required", text: "Which city?" });
  expect(await conversation.say(found, "Paris")).toMatchObject({ state: "completed", text: "Sunny" });
  const shown = ["working", "Which city?", "Sunny"].map((word) => lines.filter((line) => line.includes(word)).length);
  expect(shown).toEqual([1, 2, 2]);
});

test("a task whose poll fails is over", async () => {
  const url = await startAgent(card("1.0"), () => ({ task: task("TASK_STATE_WORKING") }));
  const states: AgentState[] = [{ url }, { url }];
  const proxy = await proxyOf(url, () =>
    Promise.resolve(states.shift() ?? { problem: "The agent exited with code 1." }),
  );
  expect(await converse().say(await findAgent(proxy.url), "hi")).toMatchObject({
    state: "error",
    text: expect.stringContaining("The agent exited with code 1.") as string,
  });
});

test("requests wait for a restart, and report why an agent does not run", async () => {
  const url = await startAgent(card("1.0"), () => ({ task: task("TASK_STATE_COMPLETED", "new") }));
  const restarted = Promise.withResolvers<AgentState>();
  const states: Promise<AgentState>[] = [Promise.resolve({ url }), restarted.promise];
  const proxy = await proxyOf(
    url,
    () => states.shift() ?? Promise.resolve({ problem: "The agent exited with code 1." }),
  );
  const found = await findAgent(proxy.url);
  const conversation = converse();
  const waiting = conversation.say(found, "hi");
  await expect.poll(() => proxy.exchanges).toHaveLength(1);
  restarted.resolve({ url });
  expect(await waiting).toMatchObject({ text: "new" });
  expect(await conversation.say(found, "hi")).toMatchObject({
    state: "error",
    text: expect.stringContaining("The agent exited with code 1.") as string,
  });
});

/** A server that says which path it got. */
const echo = (name: string): Promise<string> =>
  serve((request, response) => void response.end(`${name} got ${request.url}`));

test("no request line makes the proxy relay to another server than the agent", async () => {
  const other = await echo("other");
  const { url } = await proxyOf(await echo("agent"));
  const host = `host: ${new URL(url).host}`;
  const [, there = ""] = other.split("//");
  expect(await raw(url, [`GET ${other}/x HTTP/1.1`, host])).toMatch(/^403 .*Expected a path that starts with/s);
  for (const target of [`/\\${there}/x`, `//${there}/x`, `/\\/${there}/x`, `/%5C${there}/x`])
    expect(await raw(url, [`GET ${target} HTTP/1.1`, host])).toMatch(/^200 .*agent got/s);
  expect(await raw(url, [`GET /a?b=/\\c HTTP/1.1`, host])).toContain("agent got /a?b=");
});

test("a web page does not drive the agent: other hosts and origins are rejected", async () => {
  const { url } = await proxyOf(await echo("agent"));
  const own = `host: ${new URL(url).host}`;
  const post = `POST / HTTP/1.1`;
  expect(await raw(url, [`GET / HTTP/1.1`, "host: evil.example.com"])).toMatch(/^403 .*Host header/s);
  expect(await raw(url, [post, own, "origin: http://evil.example.com"])).toMatch(/^403 .*web pages/s);
  expect(await raw(url, [post, own, "content-length: 0", `origin: ${url}`])).toMatch(/^200 /);
  expect(await raw(url, [`GET / HTTP/1.1`, own])).toMatch(/^200 /);
});
