// suite: both
import { onBothEngines, newPostgresDatabase, testOnPostgres } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Database, notifyText, openDatabase } from "./index.ts";
import { createListener } from "./postgres/listener.ts";
import { type NoteTables, openNotes } from "./testing/note-migrations.ts";

const insertAndNotify = ({ db, engine }: Database<NoteTables>, id: string, channel = "note") =>
  engine === "sqlite"
    ? sql`insert into note (id, at) values (${id}, 1)`.execute(db)
    : sql`with added as (insert into note (id, at) values (${id}, 1) returning id)
          select ${sql.raw(notifyText(engine, channel, "id"))} from added`.execute(db);

describe("open database", () => {
  onBothEngines("a database", (newDatabase) => {
    test("closes after running work has ended, and starts nothing new", async () => {
      const url = await newDatabase();
      const { db, transaction, close } = await openNotes(url, { connections: 1 });
      const begun = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const underWay = transaction(async (tx) => {
        begun.resolve();
        await goOn.promise;
        await tx.insertInto("note").values({ id: "1", at: 1, text: null }).execute();
      });
      await begun.promise;
      const waiting = db.insertInto("note").values({ id: "2", at: 1, text: null }).execute();
      let closed = false;
      const closing = [close(), close()].map((end) => end.then(() => (closed = true)));
      const refused = db
        .selectFrom("note")
        .selectAll()
        .execute()
        .catch(() => "refused");
      goOn.resolve();
      await Promise.all([underWay, waiting]);
      expect(closed).toBe(false);
      await Promise.all(closing);
      expect(await refused).toBe("refused");
      const { db: again } = await openNotes(url);
      expect(await again.selectFrom("note").select("id").orderBy("id").execute()).toEqual([{ id: "1" }, { id: "2" }]);
    });

    test("answers a ping, which fails after its timeout", async () => {
      const { db, transaction, ping } = await openNotes(await newDatabase(), { connections: 1 });
      await ping();
      const entered = Promise.withResolvers<void>();
      const leave = Promise.withResolvers<void>();
      const holding = transaction(async () => {
        entered.resolve();
        await leave.promise;
      });
      await entered.promise;
      await expect(ping()).rejects.toThrow("has not responded");
      leave.resolve();
      await holding;
      await db.selectFrom("note").selectAll().execute();
      await ping();
    });
  });

  onBothEngines("a statement that may be lost in a power failure", (newDatabase) => {
    test("is visible immediately and does not affect writes before, during and after it", async () => {
      const url = await newDatabase();
      const [one, other] = [await openNotes(url), await openNotes(url)];
      const note = (id: string) => ({ id, at: 1, text: null });
      const insert = (id: string) => one.db.insertInto("note").values(note(id)).execute();
      const itself = () => one.unflushed((db) => db.insertInto("note").values(note("itself")).execute());
      const ends = await Promise.allSettled([
        insert("before"),
        itself(),
        insert("meanwhile"),
        itself(),
        one.transaction(async (tx) => void (await tx.insertInto("note").values(note("transaction")).execute())),
      ]);
      // Only one row can have that id.
      expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
      const { length } = await other.db.selectFrom("note").select("id").execute();
      expect(length).toBe(4);
    });

    test("leaves no transaction open", async () => {
      const { db, engine, unflushed } = await openNotes(await newDatabase());
      if (engine === "postgres") return;
      const begin = unflushed(async (of) => {
        await sql`begin`.execute(of);
        await of.insertInto("note").values({ id: "half", at: 1, text: null }).execute();
        throw new Error("it failed");
      });
      await expect(begin).rejects.toThrow("it failed");
      expect(await db.selectFrom("note").select("id").execute()).toEqual([]);
    });
  });
});

describe("listen", () => {
  onBothEngines("listening", (newDatabase, engine) => {
    test("a listener is notified of another connection's commit, with the payload if the engine has one", async () => {
      const url = await newDatabase();
      const [listening, writing] = [await openNotes(url), await openNotes(url)];
      const heard: (string | undefined)[] = [];
      await listening.listen("note", (payload) => heard.push(payload));
      heard.length = 0;
      await insertAndNotify(writing, "n1");
      await vi.waitFor(() => expect(heard).toEqual([engine === "sqlite" ? undefined : "n1"]));
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
      await vi.waitFor(() => expect(other).toHaveBeenCalled());
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

  testOnPostgres("in one PostgreSQL database, each schema and channel gets only its own notifications", async () => {
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
    await vi.waitFor(() => expect(heard).toEqual(["notes: n1", "other channel: n2"]));
    await sql.raw(`select ${notifyText("postgres", "note", "'hello'")}`).execute(other.db);
    await vi.waitFor(() => expect(heard.slice(2)).toEqual(["other schema: hello"]));
  });

  testOnPostgres(
    "a PostgreSQL database without listeners has no connection for them, and all channels share one",
    async () => {
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
    },
  );

  test("a schema whose channel names would be too long is refused", async () => {
    const nothing = () => undefined;
    const { listen } = createListener({
      server: () => ({}),
      schema: "s".repeat(60),
      notify: async () => undefined,
      onLost: nothing,
      onDeaf: nothing,
    });
    await expect(listen("note", nothing)).rejects.toThrow("at most 62 bytes together");
  });
});
