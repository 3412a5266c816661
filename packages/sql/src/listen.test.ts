import { contractOnBothEngines, newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { notifyText, openDatabase, type Database } from "./index.ts";
import { createListener } from "./postgres/listener.ts";
import { openNotes, type NoteTables } from "./testing/note-migrations.ts";

const insertAndNotify = ({ db, engine }: Database<NoteTables>, id: string, channel = "note") =>
  engine === "sqlite"
    ? sql`insert into note (id, at) values (${id}, 1)`.execute(db)
    : sql`with added as (insert into note (id, at) values (${id}, 1) returning id)
          select ${sql.raw(notifyText(engine, channel, "id"))} from added`.execute(db);

contractOnBothEngines("listening", (newDatabase, engine) => {
  test("a listener is notified of another connection's commit, with the payload if the engine has one", async () => {
    const url = await newDatabase();
    const [listening, writing] = [await openNotes(url), await openNotes(url)];
    const heard: (string | undefined)[] = [];
    await listening.listen("note", (payload) => heard.push(payload));
    heard.length = 0;
    await insertAndNotify(writing, "n1");
    await vi.waitFor(() => expect(heard).toEqual([engine === "sqlite" ? undefined : "n1"]), 10_000);
  });

  test("a stopped listener is not notified; the others are", async () => {
    const url = await newDatabase();
    const [listening, writing] = [await openNotes(url), await openNotes(url)];
    const [stopped, other] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const stop = await listening.listen("note", stopped);
    await listening.listen("note", other);
    await stop();
    stopped.mockClear();
    other.mockClear();
    await insertAndNotify(writing, "n1");
    await vi.waitFor(() => expect(other).toHaveBeenCalled(), 10_000);
    expect(stopped).not.toHaveBeenCalled();
  });

  test("names that are invalid in SQL text are refused, and so is a closed database", async () => {
    const database = await openNotes(await newDatabase());
    for (const name of ["", "Job", "job's", "1", "a".repeat(32)]) {
      await expect(database.listen(name, () => undefined)).rejects.toThrow("Expected a channel");
      expect(() => notifyText(engine, name)).toThrow("Expected a channel");
    }
    await database.listen("note", () => undefined);
    await database.close();
    await expect(database.listen("note", () => undefined)).rejects.toThrow("the database is closed");
  });
});

test("in one PostgreSQL database, each schema and channel gets only its own notifications", async () => {
  const url = await newPostgresDatabase();
  const [notes, writing] = [await openNotes(url), await openNotes(url)];
  const other = await openDatabase<NoteTables>({ url, schema: "other_notes", migrations: {} });
  onTestFinished(() => other.close());
  const heard: string[] = [];
  const listenAs = (name: string, database: Database<NoteTables>, channel: string) =>
    database.listen(channel, (payload) => void (payload !== undefined && heard.push(`${name}: ${payload}`)));
  await listenAs("other schema", other, "note");
  await listenAs("other channel", notes, "late");
  await listenAs("notes", notes, "note");
  await insertAndNotify(writing, "n1");
  await insertAndNotify(writing, "n2", "late");
  await vi.waitFor(() => expect(heard).toEqual(["notes: n1", "other channel: n2"]), 10_000);
  await sql.raw(`select ${notifyText("postgres", "note", "'hello'")}`).execute(other.db);
  await vi.waitFor(() => expect(heard.slice(2)).toEqual(["other schema: hello"]), 10_000);
});

test("a PostgreSQL database without listeners has no connection for them, and all channels share one", async () => {
  const database = await openNotes(await newPostgresDatabase(), { connections: 1 });
  const connections = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity where datname = current_database() and query like 'listen%'`.execute(
      database.db,
    );
    return rows[0]?.count ?? 0;
  };
  expect(await connections()).toBe(0);
  await Promise.all(["a", "b", "c"].map((channel) => database.listen(channel, () => undefined)));
  expect(await connections()).toBe(1);
});

test("a schema whose channel names would be too long is refused", async () => {
  const nothing = () => undefined;
  const { listen } = createListener({
    server: {},
    schema: "s".repeat(60),
    notify: async () => undefined,
    onLost: nothing,
    onDeaf: nothing,
  });
  await expect(listen("note", nothing)).rejects.toThrow("at most 62 bytes together");
});
