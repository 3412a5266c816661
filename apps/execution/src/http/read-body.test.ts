import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { readBody, type BodyFailure } from "./read-request.ts";

/** Sends the start of a request whose body is announced with 100 bytes, and gives what reading it comes to. */
async function startRequest(body: string): Promise<{ socket: Socket; read: Promise<Uint8Array | BodyFailure> }> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | BodyFailure>();
  const arrived = Promise.withResolvers<void>();
  const server = createServer((request) => {
    request.once("data", () => arrived.resolve());
    void readBody(request, 1_000).then(resolve);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.on("error", () => undefined);
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n${body}`);
  await arrived.promise;
  return { socket, read: promise };
}

test("a body in pieces is one buffer", async () => {
  const { socket, read } = await startRequest("a".repeat(40));
  socket.write("b".repeat(60));
  expect(Buffer.from((await read) as Uint8Array).toString()).toBe("a".repeat(40) + "b".repeat(60));
});

test("a sender that leaves in the middle of its body, politely or not, has sent none, and harms nobody", async () => {
  const polite = await startRequest("half of it");
  polite.socket.end();
  expect(await polite.read).toBe("aborted");
  const rude = await startRequest("half of it");
  rude.socket.resetAndDestroy();
  expect(await rude.read).toBe("aborted");
});

test("H1: pieces of a body are not kept: in a body of chunks of a byte each they would be a hundred times its size", async () => {
  const request = Object.assign(new EventEmitter(), { headers: {} });
  const read = readBody(request as IncomingMessage, 1_000);
  // The one piece is written anew each time: whoever kept it to the end would find its last letter everywhere.
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
