// suite: rest
// @module-tag judge
import { createServer, type Socket } from "node:net";
import { newPostgresDatabase, startPostgres } from "@crosszone/testkit/postgres";
import { serve } from "@crosszone/testkit/temporary";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { notifyText } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";
import { startProxy } from "../testing/start-proxy.ts";
import { createListener } from "./listener.ts";

const notify = (payload: string) => sql.raw(`select ${notifyText("postgres", "note", `'${payload}'`)}`);

test("after the server was killed, the listener is told that it may have missed notifications, and receives new ones", async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const [onIdleError, onListenError] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { db, listen } = await openNotes(server.url, { connections: 1, onIdleError, onListenError });
  const heard: (string | undefined)[] = [];
  await listen("note", (payload) => heard.push(payload));
  expect(heard).toEqual([undefined]);
  await notify("before").execute(db);
  await vi.waitFor(() => expect(heard).toEqual([undefined, "before"]));

  await server.kill();
  await vi.waitFor(() => expect(onIdleError).toHaveBeenCalled());
  // A listener that starts meanwhile does not fail.
  const late: (string | undefined)[] = [];
  await listen("late", (payload) => late.push(payload));
  expect(late).toEqual([]);
  await server.start();
  await vi.waitFor(() => expect([heard[2], heard.length, late]).toEqual([undefined, 3, [undefined]]));
  await notify("after").execute(db);
  await vi.waitFor(() => expect(heard.slice(3)).toEqual(["after"]));
  expect(onListenError).not.toHaveBeenCalled();
});

test("a listener without a server starts when there is one, and can be closed before", async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const open = () => openNotes(server.url);
  const [staying, leaving] = [await open(), await open()];
  await server.kill();
  const onMessage = vi.fn<(payload: string | undefined) => void>();
  await Promise.all([staying.listen("note", onMessage), leaving.listen("note", onMessage)]);
  await leaving.close();
  expect(onMessage).not.toHaveBeenCalled();
  await server.start();
  await vi.waitFor(() => expect(onMessage.mock.calls).toEqual([[undefined]]));
});

test("a listener can be closed even if its server never responds", async () => {
  const sockets: Socket[] = [];
  const { port } = new URL(await serve(createServer((socket) => void sockets.push(socket))));
  const listener = createListener({
    server: () => ({ host: "127.0.0.1", port: Number(port), user: "me", database: "x" }),
    schema: "notes",
    notify: async () => undefined,
    onLost: () => undefined,
    onDeaf: () => undefined,
  });
  const listening = listener.listen("note", () => undefined);
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  await listener.close();
  await listening;
});

test("a server that accepts LISTEN but delivers nothing, such as a transaction pooler, is reported once", async () => {
  const url = await newPostgresDatabase();
  const { db } = await openNotes(url);
  const start = async (connectionString: string) => {
    const onDeaf = vi.fn<(error: unknown) => void>();
    const listener = createListener({
      server: () => ({ connectionString }),
      schema: "notes",
      notify: (channel) => sql`select pg_notify(${channel}, '')`.execute(db),
      onLost: () => undefined,
      onDeaf,
      hearWithinMs: 3_000,
    });
    onTestFinished(() => listener.close());
    await listener.listen("note", () => undefined);
    return onDeaf;
  };
  const heard = await start(url);
  const deaf = await start(await startProxy(url, withoutNotifications));
  await vi.waitFor(() => expect(deaf).toHaveBeenCalledOnce());
  expect(deaf.mock.calls[0]?.[0]).toMatchObject({ message: expect.stringContaining("notifications do not arrive") });
  expect(heard).not.toHaveBeenCalled();
});

/** Passes on what a server sends, without notifications: PostgreSQL's messages of type `A`. */
function withoutNotifications(): (piece: Buffer) => Uint8Array {
  let rest = Buffer.alloc(0);
  return (piece) => {
    const passed: Buffer[] = [];
    rest = Buffer.concat([rest, piece]);
    // Type, one byte; length without the type, four bytes; content.
    while (rest.length > 4 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      if (rest[0] !== "A".charCodeAt(0)) passed.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return Buffer.concat(passed);
  };
}
