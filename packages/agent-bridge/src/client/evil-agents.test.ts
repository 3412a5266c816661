import { brotliCompressSync, gzipSync } from "node:zlib";
import type { RequestListener, ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import type { AgentFailure } from "../protocol/protocol-adapter.ts";
import { clientOf, requestTo, textOf } from "../testing/start-call.ts";
import { startServer } from "../testing/http-agents.ts";

const maxBytes = 1_000_000;

/** Passes each TCP connection to a listener. */
const serveTcp = (listener: (socket: Socket) => void): Promise<string> => serve(createServer(listener));

const ask = (origin: string, timeoutMs = 15_000) =>
  clientOf({ origins: [origin], maxBytes }).send(requestTo(`${origin}/?key=hunter2`, { timeoutMs }));

async function failureOf(origin: string, timeoutMs?: number): Promise<AgentFailure> {
  const failure = await ask(origin, timeoutMs).then(
    () => undefined,
    (error: unknown) => error as AgentFailure,
  );
  expect(failure).toMatchObject({ name: "AgentFailure" });
  expect(JSON.stringify(failure)).not.toContain("hunter2");
  return failure as AgentFailure;
}

test("N3: an answer of 10 GB is read up to the limit, then the connection is closed", async () => {
  let sent = 0;
  const chunk = Buffer.alloc(65_536, " ");
  const pour = (response: ServerResponse): void => {
    while (!response.destroyed && sent < 10_000_000_000) {
      sent += chunk.length;
      if (!response.write(chunk)) return void response.once("drain", () => pour(response));
    }
  };
  const closed = Promise.withResolvers<void>();
  const origin = await startServer((_, response) => {
    response.once("close", () => closed.resolve());
    pour(response.writeHead(200));
  });
  const failure = await failureOf(origin);
  expect(failure).toMatchObject({ kind: "response_too_large", retryable: false });
  expect(failure.message).toBe('The agent "scout" sent an answer larger than 1000000 bytes.');
  await closed.promise;
  expect(sent).toBeLessThan(1_000_000_000);
});

test("N3: an answer that trickles in ends at the call's timeout", async () => {
  const origin = await startServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  });
  const failure = await failureOf(origin, 400);
  expect(failure).toMatchObject({ kind: "call_timeout", retryable: true });
  expect(failure.message).toBe('The agent "scout" did not answer within 400 ms.');
});

test("N3: headers that trickle in or never arrive end at the call's timeout", async () => {
  const dripping = await serveTcp((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("x: y\r\n"), 20);
    socket.once("close", () => clearInterval(timer));
  });
  expect(await failureOf(dripping, 400)).toMatchObject({ kind: "call_timeout" });
  const silent = await serveTcp(() => undefined);
  expect(await failureOf(silent, 200)).toMatchObject({ kind: "call_timeout" });
});

test.each([
  ["gzip", gzipSync(Buffer.alloc(20_000_000))],
  ["br", brotliCompressSync(Buffer.alloc(20_000_000))],
])("N3: a small %s answer that decompresses to many megabytes is refused", async (coding, packed) => {
  expect(packed.length).toBeLessThan(maxBytes);
  const origin = await startServer((_, response) =>
    response.writeHead(200, { "content-encoding": coding }).end(packed),
  );
  expect(await failureOf(origin)).toMatchObject({ kind: "response_too_large" });
});

test("an answer that is compressed without being requested is read", async () => {
  const listener: RequestListener = (_, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"ok":true}'));
  expect(textOf(await ask(await startServer(listener)))).toBe('{"ok":true}');
});

test.each([
  ["gzip", "not gzip at all", "sent an answer that is declared as gzip, but isn't"],
  ["gzip, gzip", "x", "in an unsupported content coding. Send it without one"],
  ["aes128gcm", "x", "in an unsupported content coding. Send it without one"],
])("N3: an answer with the unreadable content coding %j is a failure", async (coding, body, sentence) => {
  const origin = await startServer((_, response) => response.writeHead(200, { "content-encoding": coding }).end(body));
  const failure = await failureOf(origin);
  expect(failure).toMatchObject({ kind: "not_json" });
  expect(failure.message).toContain(sentence);
});

test.each([
  ["closes before it answers", "", /closed the connection before its answer ended \(UND_ERR_SOCKET\)/],
  ["closes within its headers", "HTTP/1.1 200 OK\r\ncontent-", /closed the connection before its answer ended/],
  ["closes within its body", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{", /closed the connection before/],
  ["closes within a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{", /closed the connection/],
])("N3: an agent that %s is unreachable, and can be retried", async (_, sent, sentence) => {
  const origin = await serveTcp((socket) => void socket.once("data", () => socket.end(sent)));
  const failure = await failureOf(origin);
  expect(failure).toMatchObject({ kind: "unreachable", retryable: true });
  expect(failure.message).toMatch(sentence);
});

test("N3: a half-closed connection that still has its answer is read", async () => {
  const origin = await serveTcp((socket) => {
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
  });
  expect(textOf(await ask(origin))).toBe("{}");
});

test.each([
  "SSH-2.0-OpenSSH_9.9\r\n",
  "\u0015\u0003\u0001\u0000\u0002\u0002F",
  "HTTP/9.9 200 OK\r\n\r\n",
  "HTTP/1.1 2OO\r\n\r\n",
])("N3: a server that answers %j does not speak HTTP, and is not retried", async (sent) => {
  const origin = await serveTcp((socket) => void socket.once("data", () => socket.end(sent)));
  const failure = await failureOf(origin);
  expect(failure).toMatchObject({ kind: "unreachable", retryable: false });
  expect(failure.message).toMatch(/doesn't speak HTTP \(/);
});

test("N3: endless headers are not read", async () => {
  const origin = await serveTcp((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const more = (): boolean => socket.write(`x-more: ${"y".repeat(4_000)}\r\n`) && !socket.destroyed && more();
    socket.on("drain", more);
    more();
  });
  expect(await failureOf(origin)).toMatchObject({ kind: "response_too_large" });
});

test("N3: data after an answer is ignored", async () => {
  const origin = await serveTcp((socket) => {
    const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
    socket.once("data", () => socket.write(`${ok}HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n{"id":1}`));
  });
  const client = clientOf({ origins: [origin] });
  expect(textOf(await client.send(requestTo(origin)))).toBe("{}");
  expect(textOf(await client.send(requestTo(origin)))).toBe("{}");
});

test("an agent without a listener is unreachable, and the message says so", async () => {
  const failure = await failureOf("http://127.0.0.1:1");
  expect(failure).toMatchObject({ kind: "unreachable", retryable: true });
  expect(failure.message).toBe(
    'The agent "scout" at 127.0.0.1:1 refuses connections: nothing listens there (ECONNREFUSED).',
  );
});
