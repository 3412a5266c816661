import { connect, Socket } from "node:net";
import { afterEach, expect, test, onTestFinished } from "vitest";
import { answer, answerHeaders, answerJson, headersOf } from "../http/answer.ts";
import { close, listen } from "../http/listen.ts";
import { createHealth, type Health } from "./health.ts";
import { createHttpServer } from "../http/http-server.ts";
import { createMetrics } from "../metrics/registry.ts";
import { createOperationalRoutes, isAlive } from "./operational-routes.ts";
import { requestIdOf } from "../http/request-headers.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const guards = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

let server: ReturnType<typeof createHttpServer>;
afterEach(async () => void (await close(server, { deadlineMs: 100 })));

async function start(health: Health = createHealth()): Promise<{ url: string; seen: string[] }> {
  const routes = createOperationalRoutes({ health, metrics: createMetrics() });
  const seen: string[] = [];
  server = createHttpServer((request, response) => {
    seen.push(requestIdOf(response));
    const route = routes.get(request.url ?? "");
    if (route !== undefined) return void route(request, response);
    if (request.url !== "/elsewhere") return answerJson(response, 404, "{}");
    // As in Bolt: other code writes the head and does not know these headers.
    const raw = answerHeaders(response);
    for (let index = 0; index < raw.length; index += 2) response.setHeader(raw[index] ?? "", raw[index + 1] ?? "");
    response.writeHead(202, { "content-type": "text/plain" }).end("x");
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  return { url, seen };
}

test("health, readiness and metrics are served with headers against caching, sniffing and scripts", async () => {
  const health = createHealth();
  const { url } = await start(health);
  for (const [path, status, type] of [
    ["/healthz", 200, "application/json"],
    ["/readyz", 200, "application/json"],
    ["/metrics", 200, "text/plain; version=0.0.4; charset=utf-8"],
    ["/nowhere", 404, "application/json"],
    ["/elsewhere", 202, "text/plain"],
  ] as const) {
    const response = await fetch(url + path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([path, status, type]);
    expect(Object.fromEntries(response.headers)).toMatchObject(guards);
    expect(response.headers.get("x-request-id")).toMatch(uuid);
    expect(response.headers.get("x-powered-by")).toBeNull();
    expect(response.headers.get("strict-transport-security")).toBeNull();
  }
  health.markStopping();
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
});

test("over TLS, a header tells browsers to use only TLS from then on", () => {
  const encrypted = Object.assign(new Socket(), { encrypted: true });
  expect(headersOf(encrypted, "id")).toEqual([
    ...headersOf(new Socket(), "id"),
    "strict-transport-security",
    "max-age=31536000",
  ]);
});

test("Z13: a malformed request gets a response with an id too", async () => {
  const told: string[] = [];
  server = createHttpServer(() => undefined, {
    onBadRequest: ({ requestId }) => (told.push(requestId), { contentType: "application/json", body: "{}" }),
  });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  for (const bytes of ["NONSENSE\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"]) {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    socket.end(bytes);
    const text = (await socket.toArray()).join("");
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    for (const [name, value] of Object.entries(guards)) expect(text.toLowerCase()).toContain(`${name}: ${value}\r\n`);
    expect(text.toLowerCase()).toContain(`x-request-id: ${told.at(-1)}\r\n`);
  }
  expect(told).toHaveLength(2);
});

test("a response's own headers are sent once, whatever was set before", async () => {
  server = createHttpServer((_request, response) => {
    response.setHeader("x-request-id", "other");
    answer(response, 200, { contentType: "text/plain", body: "ü", headers: ["x-more", "1"] });
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  const response = await fetch(url, { headers: { "x-request-id": "mine" } });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "x-request-id": "mine",
    "x-more": "1",
    "content-length": "2",
  });
});

/** A server that answers `/healthz` with `status`, or never. Gives its port. */
async function startServer(status: number | undefined): Promise<number> {
  const zone = createHttpServer(({ url }, response) => {
    if (status !== undefined) response.writeHead(url === "/healthz" ? status : 404).end();
  });
  onTestFinished(async () => void (await close(zone, { deadlineMs: 0 })));
  return (await listen(zone, { host: "0.0.0.0", port: 0 })).port;
}

test.each([
  ["200", 200, true],
  ["503", 503, false],
  ["nothing", undefined, false],
])("a zone that answers %s is alive: %s", async (_answer, status, alive) => {
  const port = await startServer(status);
  for (const host of ["0.0.0.0", "127.0.0.1"])
    expect(await isAlive({ host, port, usesTls: false, timeoutMs: 300 })).toBe(alive);
});

test("an unreachable zone, or one without TLS, is not alive", async () => {
  expect(await isAlive({ host: "127.0.0.1", port: 1, usesTls: false })).toBe(false);
  expect(await isAlive({ host: "127.0.0.1", port: await startServer(200), usesTls: true })).toBe(false);
});
