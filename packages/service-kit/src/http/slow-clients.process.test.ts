import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { createHttpServer } from "./http-server.ts";
import { close, listen } from "./listen.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

async function start(listener: RequestListener, readTimeoutMs = 300): Promise<{ port: number; url: string }> {
  const server = createHttpServer(listener, { readTimeoutMs });
  ends.push(() => close(server, { deadlineMs: 0 }));
  return listen(server, { port: 0, host: "127.0.0.1" });
}

const large = Buffer.alloc(30_000_000, "x");

test("H2: a client that reads nothing is cut off; a slow reader gets the whole response", async () => {
  const cut = Promise.withResolvers<void>();
  const { port, url } = await start((request, response) => {
    if (request.url === "/deaf") response.once("close", () => cut.resolve());
    response.end(large);
    // Longer than a busy machine delays a reader.
  }, 3_000);
  const deaf = connect({ port, host: "127.0.0.1" });
  deaf.on("error", () => undefined);
  deaf.pause().write("GET /deaf HTTP/1.1\r\nHost: a\r\n\r\n");
  const { body } = await fetch(url);
  let bytes = 0;
  for await (const chunk of body ?? []) {
    if (bytes % 5_000_000 < 65_536) await delay(20);
    bytes += (chunk as Uint8Array).length;
  }
  expect(bytes).toBe(large.length);
  await cut.promise;
  deaf.destroy();
});

test("a response that is not ready yet or was just read does not count as slow", async () => {
  const { url } = await start((_request, response) => void setTimeout(() => response.end("late"), 1_500));
  expect(await (await fetch(url)).text()).toBe("late");
  await delay(700);
  expect(await (await fetch(url)).text()).toBe("late");
});
