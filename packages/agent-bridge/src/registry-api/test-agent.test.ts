import type { RequestListener } from "node:http";
import { isAgentTest, type AgentTest } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { createAddressRules } from "../client/address-rules.ts";
import { doneWith, taskIn } from "../testing/agent-record.ts";
import { clientOf } from "../testing/start-call.ts";
import { startServer } from "../testing/http-agents.ts";
import { errorOf, result, startCardedAgent, type CardedOptions } from "../testing/start-carded-agent.ts";
import { startRegistry } from "../testing/start-registry.ts";

const card = { name: "A", protocolVersion: "0.3.0", url: "/", capabilities: { streaming: true } };

/** Starts an agent, and tests it through the API, by URL unless the caller says otherwise. */
async function tested(answers: CardedOptions["answers"], asked?: object) {
  const agent = await startCardedAgent({ card, answers });
  const { ask } = await startRegistry({ client: clientOf({ origins: [agent.url] }) });
  await ask("POST /agents", { name: "a", url: agent.url, enabled: false });
  const { status, body } = await ask("POST /agent-tests", { text: "Hi", ...(asked ?? { url: agent.url }) });
  return { agent, status, body: body as unknown as AgentTest };
}

test("a test of a URL shows the card, the exchange and the answer, and stores nothing", async () => {
  const { agent, status, body } = await tested({ "message/stream": result(doneWith("Hello yourself")) });
  expect(status).toBe(200);
  expect(isAgentTest(body)).toBe(true);
  expect(body).toMatchObject({
    status: "answered",
    health: { status: "healthy", card: { name: "A" } },
    output: { text: "Hello yourself" },
  });
  expect(body.exchanges).toMatchObject([
    {
      operation: "send",
      protocol: "jsonrpc-2.0",
      status: 200,
      request: { method: "message/stream", params: { message: { parts: [{ text: "Hi" }] } } },
      response: { result: { kind: "task" } },
    },
  ]);
  expect(agent.methods()).toEqual(["message/stream"]);
});

test("a disabled agent can be tested, and its stream is shown event by event", async () => {
  const events = [
    result(taskIn("working")),
    result({ kind: "status-update", taskId: "remote-1", status: { state: "failed" }, final: true }),
  ];
  const { body } = await tested({ "message/stream": { events } }, { agent: "a" });
  expect(body).toMatchObject({ status: "failed", failure: { kind: "task_failed" }, health: { name: "a" } });
  expect(body.exchanges.map(({ request, status }) => [request !== undefined, status])).toEqual([
    [true, 200],
    [false, 200],
  ]);
});

test("a failure is shown at its exchange and is not retried", async () => {
  const { agent, body } = await tested({ "message/stream": 503 });
  expect(body).toMatchObject({ status: "failed", failure: { kind: "http_unavailable" } });
  expect(body.exchanges).toMatchObject([{ status: 503 }]);
  expect(agent.methods()).toEqual(["message/stream"]);
  const broken = await tested({ "message/stream": "no JSON" });
  expect(broken.body.exchanges).toMatchObject([{ response: "no JSON", problem: expect.stringContaining("not JSON") }]);
  const refusing = await tested({ "message/stream": errorOf(-32_601), "message/send": result(doneWith("x")) });
  expect(refusing.body.exchanges).toHaveLength(2);
});

test.each([
  ["both an agent and a URL", { agent: "a", url: "http://127.0.0.1:1" }, 422],
  ["neither", {}, 422],
  ["an address that is not allowed", { url: "http://169.254.169.254/" }, 422],
  ["an unknown protocol", { url: "http://127.0.0.1:1", protocol: "grpc" }, 422],
  ["an unknown agent", { agent: "b" }, 404],
])("a test of %s is refused", async (_, asked, expected) => {
  const { status, agent } = await tested({}, asked);
  expect(status).toBe(expected);
  expect(agent.asked).toEqual([]);
});

test("a test of a URL that can't be parsed was an internal error: it is rejected with a sentence", async () => {
  const checks = {
    protocol: () => undefined,
    url: createAddressRules({ origins: [] }).check,
    secrets: () => undefined,
  };
  const { ask } = await startRegistry({ checks });
  const { status, body } = await ask("POST /agent-tests", { text: "Hi", url: "http://[" });
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining("Write it as https://host/path")]);
});

const wholeCard = {
  protocolVersion: "0.3.0",
  name: "Modern",
  description: "Answers.",
  url: "/",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};

const grpcCard = {
  name: "Modern",
  supportedInterfaces: [{ url: "http://a:1/", protocolBinding: "GRPC", protocolVersion: "1.0" }],
};

async function lookAt(listener: RequestListener, members: object = {}) {
  const url = await startServer(listener);
  const { ask } = await startRegistry({ client: clientOf({ origins: [url] }) });
  await ask("POST /agents", { name: "a", url, ...members });
  const { status, body } = await ask("POST /agents/a/health");
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: "a", checked_at: expect.any(String), duration_ms: expect.any(Number) });
  return body;
}

test("an agent with a card is healthy, even while it is disabled, and its card is shown", async () => {
  const body = await lookAt((_request, response) => response.end(JSON.stringify(wholeCard)), { enabled: false });
  expect(body).toMatchObject({ status: "healthy", card: wholeCard });
});

test("an agent without a card that answers is reachable", async () => {
  const body = await lookAt((_request, response) => response.writeHead(404).end("no"));
  expect(body).toMatchObject({ status: "reachable", problem: expect.stringContaining("HTTP 404") });
});

test.each<[name: string, words: RegExp, listener: RequestListener]>([
  ["a failure", /HTTP 500/, (_request, response) => response.writeHead(500).end("oops")],
  ["no JSON", /is not a JSON object/, (_request, response) => response.end("<html>")],
  ["no card", /add supportedInterfaces/, (_request, response) => response.end('{"name":"A"}')],
  [
    "a card of another agent",
    /names the URL "http:\/\/a\/"/,
    (_request, response) => response.end('{"url":"http://a/"}'),
  ],
  ["a card without JSON-RPC", /offers GRPC 1\.0/, (_request, response) => response.end(JSON.stringify(grpcCard))],
  ["a closed connection", /./, (request) => request.socket.destroy()],
  ["a redirect", /./, (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end()],
  ["silence", /./, () => undefined],
])("an agent that answers with %s is unhealthy, with an explanation", async (_name, words, listener) => {
  const body = await lookAt(listener, { timeout_ms: 500 });
  expect(body).toMatchObject({ status: "unhealthy", problem: expect.stringMatching(words) });
  expect(JSON.stringify(body)).not.toContain("169.254");
});

test("N3: an endlessly nested card is reported, and delays no other check", async () => {
  const deep = "[".repeat(500_000) + "]".repeat(500_000);
  const body = await lookAt((_request, response) =>
    response.end(`${JSON.stringify(wholeCard).slice(0, -1)},"x":${deep}}`),
  );
  expect(body).toMatchObject({ status: "unhealthy", problem: expect.stringContaining("at most 64 levels") });
});

test("a card with another URL than the registered one is unhealthy, unless the card decides", async () => {
  const listener: RequestListener = (_request, response) => response.end(JSON.stringify({ ...wholeCard, url: "/a2a" }));
  const problem = expect.stringMatching(/names the URL .*\/a2a, but the agent is registered with/);
  expect(await lookAt(listener, { protocol: "jsonrpc-2.0" })).toMatchObject({ status: "unhealthy", problem });
  expect(await lookAt(listener)).toMatchObject({ status: "healthy" });
});
