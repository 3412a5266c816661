import { once } from "node:events";
import { Agent, type IncomingMessage, request, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { close, createHttpServer, listen, ListenError, type ListenOptions } from "./http-server.ts";

const agent = new Agent({ keepAlive: true });
afterEach(() => agent.destroy());

async function start(listener: RequestListener) {
  const server = createHttpServer(listener);
  const { port } = await listen(server, { port: 0, host: "127.0.0.1" });
  const ask = async (path = "/"): Promise<IncomingMessage> => {
    const [response] = (await once(request({ port, host: "127.0.0.1", path, agent }).end(), "response")) as [
      IncomingMessage,
    ];
    return response;
  };
  return { server, port, ask };
}

/** Shorter than idle connections are kept, so that the deadline finds connections to cut. */
const deadlineMs = 15_000;

test("a running request completes with Connection: close, and a long keep-alive is not awaited", async () => {
  const { server, ask } = await start((_request, response) => void setTimeout(() => response.end("late"), 200));
  const answer = ask();
  await once(server, "request");
  const closing = close(server, { deadlineMs });
  const response = await answer;
  expect(response.headers.connection).toBe("close");
  expect(await text(response)).toBe("late");
  expect(await closing).toEqual({ destroyed: 0 });
});

test("a response that a slow client has not read yet is not truncated", async () => {
  const size = 32 * 1024 * 1024;
  const { server, ask } = await start((_request, response) => response.end(Buffer.alloc(size)));
  const response = await ask();
  const closing = close(server, { deadlineMs });
  await sleep(100);
  expect((await buffer(response)).length).toBe(size);
  expect(await closing).toEqual({ destroyed: 0 });
});

test("a request that was still arriving gets its response, then the connection closes", async () => {
  const { server, port } = await start((_request, response) => response.end("hello"));
  const connected = once(server, "connection") as Promise<[Socket]>;
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write("GET / HTTP/1.1\r\nHo");
  const [received] = await connected;
  await vi.waitUntil(() => received.bytesRead > 0);
  const closing = close(server, { deadlineMs });
  socket.write("st: a\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close[^]*hello$/i);
  expect(await closing).toEqual({ destroyed: 0 });
});

test("connections that are active at the deadline, or when the signal aborts, are cut and counted", async () => {
  for (const aborts of [false, true]) {
    const { server, ask } = await start(() => undefined);
    const answer = ask();
    await once(server, "request");
    const limits = aborts ? { deadlineMs: 60_000, signal: AbortSignal.timeout(100) } : { deadlineMs: 100 };
    const startedAt = performance.now();
    const [report] = await Promise.all([close(server, limits), expect(answer).rejects.toThrow("hang up")]);
    expect(report).toEqual({ destroyed: 1 });
    expect(performance.now() - startedAt).toBeGreaterThan(90);
  }
});

const servers: ReturnType<typeof createHttpServer>[] = [];
const server = () => {
  const created = createHttpServer((_request, response) => response.end("hello"));
  servers.push(created);
  return created;
};
afterEach(() => Promise.all(servers.splice(0).map((each) => close(each, { deadlineMs: 0 }))));

const failure = async (options: ListenOptions): Promise<unknown> =>
  listen(server(), options).then(
    () => undefined,
    (error: unknown) => error,
  );

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === "IPv6"));

test.each(["127.0.0.1", "0.0.0.0", "localhost", ...(hasIpv6 ? ["::1", "::"] : [])])(
  "the URL for %s reaches the server",
  async (host) => {
    const { url, port } = await listen(server(), { port: 0, host });
    expect(port).toBeGreaterThan(0);
    expect(await (await fetch(url)).text()).toBe("hello");
  },
);

test("a port in use is one clear line that names the variable, and the server can try again", async () => {
  const { port } = await listen(server(), { port: 0, host: "127.0.0.1" });
  const second = server();
  const listeners = second.listenerCount("error") + second.listenerCount("listening");
  const attempt = listen(second, { port, host: "127.0.0.1", portVariable: "EXECUTION_PORT" });
  await expect(attempt).rejects.toThrow(ListenError);
  await expect(attempt).rejects.toMatchObject({
    code: "EADDRINUSE",
    message: `port ${port} is in use; free it or set EXECUTION_PORT`,
  });
  expect(await failure({ port, host: "127.0.0.1" })).toMatchObject({
    message: `port ${port} is in use; free it or take another one`,
  });
  const again = await listen(second, { port: 0, host: "127.0.0.1" });
  expect(again.port).not.toBe(port);
  expect(second.listenerCount("error") + second.listenerCount("listening")).toBe(listeners);
});
