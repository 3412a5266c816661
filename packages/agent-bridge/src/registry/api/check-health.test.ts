import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { clientOf } from "../../testing/client-of.ts";
import { startRegistry } from "../../testing/start-registry.ts";
import { startServer } from "../../testing/start-server.ts";

const card = {
  protocolVersion: "0.3.0",
  name: "Modern",
  description: "Answers.",
  url: "http://modern/",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
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

test("a disabled agent is looked at too, before it is enabled again", async () => {
  const listener: RequestListener = (_request, response) => response.end(JSON.stringify(card));
  expect(await lookAt(listener, { enabled: false })).toMatchObject({ status: "healthy" });
});

test("an agent that answers and has no card may be well: it is unknown", async () => {
  const body = await lookAt((_request, response) => response.writeHead(404).end("no"));
  expect(body).toMatchObject({ status: "unknown", problem: expect.stringContaining("HTTP 404") });
});

test.each<[name: string, words: RegExp, listener: RequestListener]>([
  ["a failure", /HTTP 500/, (_request, response) => response.writeHead(500).end("oops")],
  ["no JSON", /is not JSON/, (_request, response) => response.end("<html>")],
  ["no card", /\/name is missing/, (_request, response) => response.end('{"url":"http://a/"}')],
  ["a closed connection", /./, (request) => request.socket.destroy()],
  ["a redirect", /./, (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end()],
  ["silence", /./, () => undefined],
])("an agent that answers with %s is unhealthy, in words", async (_name, words, listener) => {
  const body = await lookAt(listener, { timeout_ms: 500 });
  expect(body).toMatchObject({ status: "unhealthy", problem: expect.stringMatching(words) });
  expect(JSON.stringify(body)).not.toContain("169.254");
});

test("N3: a card that is nested without end is told as what it is, and holds nobody up", async () => {
  const deep = "[".repeat(500_000) + "]".repeat(500_000);
  const body = await lookAt((_request, response) => response.end(`${JSON.stringify(card).slice(0, -1)},"x":${deep}}`));
  expect(body).toMatchObject({ status: "unhealthy", problem: "Its agent card is nested in more than 64 levels." });
});
