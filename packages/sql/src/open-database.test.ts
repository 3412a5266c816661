import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { sql } from "kysely";
import { now, rowsFromJson } from "./index.ts";
import { openNotes } from "./testing/note-migrations.ts";

contractOnBothEngines("a database", (newDatabase) => {
  test("takes rows as one parameter and returns its own time", async () => {
    const { db, engine } = await openNotes(await newDatabase());
    const rows = [
      { id: "a", at: 1, text: '"\\u0000 ’ ' },
      { id: "b", at: 2, text: null },
    ];
    const columns = { id: "text", at: "bigint", text: "text" } as const;
    await sql`insert into note (id, at, text) select id, at, text from ${rowsFromJson(engine, rows, { alias: "new", columns })}`.execute(
      db,
    );
    expect(await db.selectFrom("note").selectAll().orderBy("id").execute()).toEqual(rows);
    const { rows: times } = await sql<{ at: number }>`select ${now(engine)} as at`.execute(db);
    expect(Math.abs((times[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test("loses no writes of concurrent transactions", async () => {
    const url = await newDatabase();
    const [one, other] = [await openNotes(url), await openNotes(url)];
    await one.db.insertInto("note").values({ id: "count", at: 0, text: "" }).execute();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? one : other).transaction(async (tx) => {
          let query = tx.selectFrom("note").select("at");
          if (one.engine === "postgres") query = query.forUpdate();
          const { at: value } = await query.executeTakeFirstOrThrow();
          await tx
            .updateTable("note")
            .set({ at: value + 1 })
            .execute();
        }),
      ),
    );
    expect(await one.db.selectFrom("note").select("at").executeTakeFirst()).toEqual({ at: 20 });
  });

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
