import { connect, Socket } from "node:net";
import { afterEach, expect, test, onTestFinished } from "vitest";
import { answer, headersOf } from "../http/answer.ts";
import { close, listen } from "../http/listen.ts";
import { createHttpServer } from "../http/http-server.ts";
import { isAlive } from "./operational-routes.ts";

const guards = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

let server: ReturnType<typeof createHttpServer> | undefined;
afterEach(async () => server && close(server, { deadlineMs: 100 }));

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
