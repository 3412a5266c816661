import { expect, onTestFinished, test } from "vitest";
import { close, listen } from "../http/listen.ts";
import { createHttpServer } from "../http/http-server.ts";
import { isAlive } from "./operational-routes.ts";

/** A server that answers `/healthz` with `status`, or never. Gives its port. */
async function startServer(status: number | undefined): Promise<number> {
  const server = createHttpServer(({ url }, response) => {
    if (status !== undefined) response.writeHead(url === "/healthz" ? status : 404).end();
  });
  onTestFinished(async () => void (await close(server, { deadlineMs: 0 })));
  return (await listen(server, { host: "0.0.0.0", port: 0 })).port;
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
