import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openNotes } from "./testing/note-migrations.ts";

contractOnBothEngines("a database", (newDatabase) => {
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

contractOnBothEngines("a statement that may be lost in a power failure", (newDatabase) => {
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

  test("is the only one that is not flushed, whether it succeeds or not", async () => {
    const { db, engine, unflushed } = await openNotes(await newDatabase());
    if (engine === "postgres") return;
    const level = async (of: typeof db): Promise<unknown> => (await sql`pragma synchronous`.execute(of)).rows[0];
    const [normal, full] = [{ synchronous: 1 }, { synchronous: 2 }];
    const levels = [unflushed(level), level(db), unflushed(() => Promise.reject(new Error("it failed"))), level(db)];
    expect(
      (await Promise.allSettled(levels)).map((end) => (end.status === "fulfilled" ? end.value : "failed")),
    ).toEqual([normal, full, "failed", full]);
  });

  test("leaves nothing unflushed if it ends within its own transaction", async () => {
    const { db, engine, unflushed } = await openNotes(await newDatabase());
    if (engine === "postgres") return;
    const begin = unflushed(async (of) => {
      await sql`begin`.execute(of);
      await of.insertInto("note").values({ id: "half", at: 1, text: null }).execute();
      throw new Error("it failed");
    });
    await expect(begin).rejects.toThrow("it failed");
    expect((await sql`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 2 }]);
    expect(await db.selectFrom("note").select("id").execute()).toEqual([]);
  });
});
