// suite: rest
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { tempFolder } from "@crosszone/testkit/temporary";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createDatabaseCheck, outageOf } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

/** A role of its own, with the right to all of a new database, whose URL is in a file. */
async function openAsRole() {
  const url = await newPostgresDatabase();
  const { db } = await openNotes(url);
  const admin = (text: string) => sql.raw(text).execute(db);
  const role = `zone_${crypto.randomUUID().replaceAll("-", "")}`;
  const urlWith = (password: string): string => Object.assign(new URL(url), { username: role, password }).href;
  await admin(`create role ${role} login password 'first'; grant all on schema notes to ${role};
    grant all on all tables in schema notes to ${role}`);
  const urlFile = join(tempFolder(), "url");
  await writeFile(urlFile, `${urlWith("first")}\n`);
  const database = await openNotes(urlWith("first"), { urlFile, connections: 4 });
  // Roles outlive the database of a test.
  onTestFinished(() => admin(`drop owned by ${role}; drop role ${role}`).then(() => undefined));
  const disconnect = () => admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  return { database, admin, role, urlWith, urlFile, disconnect };
}

test("O16: a rotated password is an outage in words until its file has the new one; no restart, and nothing is lost", async () => {
  const { database, admin, role, urlWith, urlFile, disconnect } = await openAsRole();
  const notifications: unknown[] = [];
  const stop = await database.listen("note", (payload) => void notifications.push(payload));
  const said: string[] = [];
  const check = createDatabaseCheck(database, (what) => void said.push(what));
  const answered: string[] = [];
  const outages = new Set<string | undefined>();
  const ended = new AbortController();
  /** A sender that tries again until its question is stored, as Slack does. */
  const send = async (id: string): Promise<void> => {
    for (;;)
      try {
        await database.db.insertInto("note").values({ id, at: 1, text: null }).execute();
        return void answered.push(id);
      } catch (error) {
        outages.add(outageOf(error)?.what);
        await delay(20);
      }
  };
  const sent: Promise<void>[] = [];
  const sending = (async () => {
    for (; !ended.signal.aborted; await delay(5)) sent.push(send(String(sent.length)));
  })();
  await expect.poll(() => answered.length).toBeGreaterThan(5);
  await admin(`alter role ${role} password 'second'`);
  await disconnect();
  const refused = "the database refuses the zone's password";
  await expect.poll(check, { timeout: 30_000 }).toBe(refused);
  expect(said.at(-1)).toBe(refused);
  await writeFile(urlFile, "");
  expect(await check()).toBe(refused);
  await writeFile(urlFile, `${urlWith("second")}\n`);
  expect(await check()).toBeUndefined();
  ended.abort();
  await sending;
  await Promise.all(sent);
  const { rows } = await sql<{ id: string }>`select id from note`.execute(database.db);
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(answered));
  expect(rows).toHaveLength(sent.length);
  expect(outages).not.toContain(undefined);
  const before = notifications.length;
  await expect
    .poll(
      async () => {
        await sql`select pg_notify('notes_note', 'again')`.execute(database.db);
        return notifications.length;
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(before);
  await stop();
});

test("O33: connections that keep their plans compile none, on every version of PostgreSQL", async () => {
  const database = await openNotes(await newPostgresDatabase(), { connections: 10 });
  const { rows } = await database.prepared.executeQuery(sql<{ jit: string }>`show jit`.compile(database.db));
  expect(rows).toEqual([{ jit: "off" }]);
});
