import { randomUUID } from "node:crypto";
import { jobStates } from "@crosszone/jobs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../../database/open-verification-database.ts";
import { questionRecord, createTestInbox, takeOne } from "../../testing/test-inbox.ts";
import { createSqlThreadStore } from "../../inbox/sql-thread-store.ts";
import { plantTeam } from "../../testing/plant-team.ts";
import { verificationPurges } from "./verification-tables.ts";

const dayMs = 86_400_000;

onBothEngines("the purge of verification", (newDatabase) => {
  const start = async () => {
    const database = await openVerificationDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const purges = verificationPurges(database, { THREAD_RETENTION: 90 * dayMs, PARKED_RETENTION_MS: 30 * dayMs });
    const purge = async () =>
      Object.fromEntries(await Promise.all(purges.map(async (of) => [of.table, await of.purge(500)])));
    return { database, purge };
  };

  test("deletes nothing recent and nothing open, however old", async () => {
    const { database, purge } = await start();
    const inbox = createTestInbox(database);
    await inbox.accept(questionRecord());
    const taken = await takeOne(inbox, "ask");
    await inbox.park(taken as NonNullable<typeof taken>, "it failed");
    await plantTeam(database, "T1");
    await database.db.updateTable("job").set({ created_at: 1, due_at: 1 }).execute();
    const soon = Date.now() + 60_000;
    await database.db.insertInto("spent_state").values({ digest: "spent", expires_at: soon }).execute();
    expect(await purge()).toEqual({ handle: 0, spent_state: 0, claim: 0, thread: 0, job: 0, message: 0 });
  });

  test("deletes expired handles, claims of yesterday, inactive threads and records that were parked long ago", async () => {
    const { database, purge } = await start();
    const { db } = database;
    const inbox = createTestInbox(database);
    for (const request_id of [randomUUID(), randomUUID()])
      await inbox.accept(questionRecord({ request_id, claims: [request_id], thread_ts: request_id }));
    await createSqlThreadStore(database).join(questionRecord());
    const taken = await takeOne(inbox, "ask");
    await inbox.park(taken as NonNullable<typeof taken>, "it failed");
    await plantTeam(database, "T1");
    const now = Date.now();
    await db
      .updateTable("handle")
      .set({ expires_at: now - 1_000 })
      .execute();
    await db
      .updateTable("claim")
      .set({ claimed_at: now - dayMs - 2 * 3_600_000 })
      .execute();
    await db
      .updateTable("thread")
      .set({ used_at: now - 91 * dayMs })
      .execute();
    await db
      .updateTable("job")
      .set({ ended_at: now - 31 * dayMs })
      .where("state", "=", jobStates.parked)
      .execute();
    await db
      .insertInto("spent_state")
      .values({ digest: "spent", expires_at: now - 1_000 })
      .execute();
    expect(await purge()).toMatchObject({ handle: 1, spent_state: 1, job: 1 });
    expect(await purge()).toEqual({ handle: 0, spent_state: 0, claim: 0, thread: 0, job: 0, message: 0 });
    const left = async (table: "claim" | "thread" | "handle") =>
      (await db.selectFrom(table).selectAll().execute()).length;
    expect([await left("claim"), await left("thread"), await left("handle")]).toEqual([0, 0, 0]);
    expect((await db.selectFrom("job").select("state").execute()).map(({ state }) => state)).not.toContain(
      jobStates.parked,
    );
  });
});
