import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { clientOf } from "../testing/client-of.ts";
import { startRegistry } from "../testing/start-registry.ts";
import { startServer } from "../testing/http-agents.ts";

const card = {
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
  const port = await startServer(listener);
  const url = `http://127.0.0.1:${port}/`;
  const { ask } = await startRegistry({ client: clientOf({ origins: [new URL(url).origin] }) });
  await ask("POST /agents", { name: "a", url, ...members });
  const { status, body } = await ask("POST /agents/a/health");
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: "a", checked_at: expect.any(String), duration_ms: expect.any(Number) });
  return body;
}

test("an agent with a card is healthy, and its card is shown", async () => {
  const body = await lookAt((_request, response) => response.end(JSON.stringify(card)));
  expect(body).toMatchObject({ status: "healthy", card });
});

test("a disabled agent can be checked before it is enabled again", async () => {
  const listener: RequestListener = (_request, response) => response.end(JSON.stringify(card));
  expect(await lookAt(listener, { enabled: false })).toMatchObject({ status: "healthy" });
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
  const body = await lookAt((_request, response) => response.end(`${JSON.stringify(card).slice(0, -1)},"x":${deep}}`));
  expect(body).toMatchObject({ status: "unhealthy", problem: expect.stringContaining("at most 64 levels") });
});

test("a card with another URL than the registered one is unhealthy, unless the card decides", async () => {
  const listener: RequestListener = (_request, response) => response.end(JSON.stringify({ ...card, url: "/a2a" }));
  const problem = expect.stringMatching(/names the URL .*\/a2a, but the agent is registered with/);
  expect(await lookAt(listener, { protocol: "jsonrpc-2.0" })).toMatchObject({ status: "unhealthy", problem });
  expect(await lookAt(listener)).toMatchObject({ status: "healthy" });
});
