import { contractOnBothEngines } from "@crosszone/testkit/postgres";
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
