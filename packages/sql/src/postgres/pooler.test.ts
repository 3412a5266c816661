// suite: rest
import { createServer, type Socket } from "node:net";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { serve } from "@crosszone/testkit/temporary";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openNotes } from "../testing/note-migrations.ts";

/** What a pooler says itself to a client that connects: authenticated, the key of a backend, ready. */
const welcome = Buffer.from("5200000008000000004b0000000c00000001000000015a0000000549", "hex");

const terminate = 0x58;
const readyForQuery = 0x5a;
const idle = 0x49;

/** Splits a stream of messages: a type, then a length that counts itself. */
function createFrames(onFrame: (frame: Buffer) => void): (piece: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      onFrame(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

/**
 * Starts a pooler as PgBouncer before 1.21 is in transaction mode: all clients share one connection to the server, each for one transaction
 * at a time, and prepared statements pass as they are. Returns its URL.
 */
async function startPooler(url: string): Promise<string> {
  const server = new Client({ connectionString: url });
  server.on("error", () => undefined);
  await server.connect();
  const { stream } = (server as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.removeAllListeners("data");
  const queue: { readonly client: Socket; readonly frames: Buffer[] }[] = [];
  const sendFirst = (): void => void (queue[0] && stream.write(Buffer.concat(queue[0].frames.splice(0))));
  stream.on(
    "data",
    createFrames((frame) => {
      queue[0]?.client.write(frame);
      if (frame[0] !== readyForQuery || frame[5] !== idle) return;
      queue.shift();
      sendFirst();
    }),
  );
  const pooler = createServer((client) => {
    let isWelcome = false;
    const take = createFrames((frame) => {
      if (frame[0] === terminate) return;
      const own = queue.find((waiting) => waiting.client === client);
      if (own === undefined) queue.push({ client, frames: [frame] });
      else own.frames.push(frame);
      if (queue[0]?.client === client) sendFirst();
    });
    client.on("data", (piece: Buffer) => {
      if (isWelcome) return take(piece);
      isWelcome = true;
      client.write(welcome);
    });
  });
  onTestFinished(() => void stream.destroy());
  return Object.assign(new URL(url), { port: new URL(await serve(pooler)).port }).href;
}

test("a pooler that mixes up prepared statements let the zone start, and then failed its requests", async () => {
  const url = await startPooler(await newPostgresDatabase());
  await expect(openNotes(url, { waitMs: 0 })).rejects.toThrow(
    "cannot be used: a pooler in transaction mode mixes up prepared statements. Use PgBouncer 1.21 or later",
  );
});

test("without a pooler, the same server is accepted", async () => {
  const { db } = await openNotes(await newPostgresDatabase());
  expect(await db.selectFrom("note").selectAll().execute()).toEqual([]);
});

/** What PgBouncer answers to a start with a parameter that it does not know, in every mode. */
const refusal = Buffer.from("SFATAL\0C08P01\0Munsupported startup parameter: options\0\0");

test("O25: a pooler that refuses our parameters is told with what works in every mode", async () => {
  const pooler = createServer((client) => {
    client.once("data", () => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(refusal.length + 4);
      client.end(Buffer.concat([Buffer.from("E"), length, refusal]));
    });
  });
  const { port } = new URL(await serve(pooler));
  const opening = openNotes(`postgres://me:x@127.0.0.1:${port}/cz`, { waitMs: 0 });
  await expect(opening).rejects.toThrow(/Set ignore_startup_parameters = options in PgBouncer.*alter role/);
  await expect(opening).rejects.not.toThrow(/session mode/);
});
