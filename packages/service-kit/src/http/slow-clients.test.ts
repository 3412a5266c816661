import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createHttpServer } from "./http-server.ts";
import { close, listen } from "./listen.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

async function start(listener: RequestListener, maxConnections: number): Promise<() => Promise<Client>> {
  const server = createHttpServer(listener, { maxConnections });
  ends.push(() => close(server, { deadlineMs: 0 }));
  const { port } = await listen(server, { port: 0, host: "127.0.0.1" });
  return async () => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    await once(socket, "connect");
    return { socket, closed };
  };
}

interface Client {
  readonly socket: Socket;
  readonly closed: Promise<void>;
}

async function answerTo({ socket }: Client): Promise<string> {
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const [text] = (await once(socket, "data")) as [Buffer];
  return text.toString();
}

const hello: RequestListener = (_request, response) => response.end("hello");

test("H2: a connection over the limit closes the oldest idle one, and is served", async () => {
  const open = await start(hello, 3);
  const kept = [await open(), await open(), await open()];
  for (const client of kept) expect(await answerTo(client)).toContain("hello");
  expect(await answerTo(await open())).toContain("hello");
  await kept[0]?.closed;
  for (const client of kept.slice(1)) expect(await answerTo(client)).toContain("hello");
});

test("H2: connections with missing or unfinished requests make room for complete ones; requests that wait for a response are kept", async () => {
  const waiting = Promise.withResolvers<void>();
  let asked = 0;
  const listener: RequestListener = (_request, response) => {
    asked += 1;
    void waiting.promise.then(() => response.end("hello"));
  };
  const open = await start(listener, 3);
  const [asking, silent, dripping] = [await open(), await open(), await open()];
  const answers = [answerTo(asking)];
  dripping.socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{");
  await vi.waitFor(() => expect(asked).toBe(2));
  answers.push(answerTo(await open()));
  await silent.closed;
  await vi.waitFor(() => expect(asked).toBe(3));
  answers.push(answerTo(await open()));
  await dripping.closed;
  await vi.waitFor(() => expect(asked).toBe(4));
  // All three wait for a response, so none can be closed.
  await (
    await open()
  ).closed;
  waiting.resolve();
  for (const text of await Promise.all(answers)) expect(text).toContain("hello");
});
