import { EventEmitter } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { serve } from "@crosszone/testkit/temporary";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type BodyFailure, gatherBytes, readAtMost, readBody } from "./read-request.ts";

/** Sends the start of a request whose body is declared with 100 bytes, and returns the result of reading it. */
async function startRequest(body: string): Promise<{ socket: Socket; read: Promise<Uint8Array | BodyFailure> }> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | BodyFailure>();
  const arrived = Promise.withResolvers<void>();
  const server = createServer((request) => {
    request.once("data", () => arrived.resolve());
    void readBody(request, 1_000).then(resolve);
  });
  const socket = connect(Number(new URL(await serve(server)).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n${body}`);
  await arrived.promise;
  return { socket, read: promise };
}

test("a body whose sender disconnects, cleanly or not, is discarded, and other requests are unaffected", async () => {
  const polite = await startRequest("half of it");
  polite.socket.end();
  expect(await polite.read).toBe("aborted");
  const rude = await startRequest("half of it");
  rude.socket.resetAndDestroy();
  expect(await rude.read).toBe("aborted");
});

test("H1: chunks of a body are not kept, because one-byte chunks would take a hundred times its size", async () => {
  const request = Object.assign(new EventEmitter(), { headers: {} });
  const read = readBody(request as IncomingMessage, 1_000);
  // The one piece is overwritten each time: a reader that kept it would find its last letter everywhere.
  const piece = Buffer.alloc(1);
  const sent = "abcdefghijklmnopqrstuvwxyz".repeat(4);
  for (const letter of sent) {
    piece.write(letter);
    request.emit("data", piece);
  }
  request.emit("end");
  const got = Buffer.from((await read) as Uint8Array).toString();
  expect(got).toHaveLength(sent.length);
  expect(new Set(got).size).toBeGreaterThan(4);
});

test.each([
  ["a whole body", ["abc"], "end"],
  ["a body that is too large", ["x".repeat(1_001)], undefined],
  ["a body that broke off", ["abc"], "close"],
])("X1: an idle connection kept the body of its last request: %s", async (_title, pieces, last) => {
  const request = Object.assign(new EventEmitter(), { headers: {}, pause: () => undefined });
  const read = readBody(request as unknown as IncomingMessage, 1_000);
  for (const piece of pieces) request.emit("data", Buffer.from(piece));
  if (last !== undefined) request.emit(last);
  await read;
  // Its listeners hold the pieces, and the connection holds the request.
  expect(request.eventNames()).toEqual([]);
});

async function* chunked(chunks: readonly string[], ended: string[] = []): AsyncGenerator<Uint8Array> {
  try {
    for (const chunk of chunks) yield Buffer.from(chunk);
  } finally {
    ended.push("ended");
  }
}

test("a body of exactly the limit is read whole; a larger one is refused and its rest is not read", async () => {
  expect(String(await readAtMost(chunked(["ab", "", "cd"]), 4))).toBe("abcd");
  expect(String(await readAtMost(chunked([]), 0))).toBe("");
  const ended: string[] = [];
  expect(await readAtMost(chunked(["ab", "cde", "f"], ended), 4)).toBe("too_large");
  expect(ended).toEqual(["ended"]);
});

test("any chunks are joined in order and unchanged", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (pieces) => {
      const before = pieces.map((piece) => Buffer.from(piece));
      const bytes = gatherBytes();
      const sizes = pieces.map((piece) => bytes.add(piece));
      expect(bytes.whole()).toEqual(Buffer.concat(before));
      expect(sizes.at(-1) ?? 0).toBe(Buffer.concat(before).length);
      expect(pieces.map((piece) => Buffer.from(piece))).toEqual(before);
    }),
  );
});
