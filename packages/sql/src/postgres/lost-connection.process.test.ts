// suite: rest
// @module-tag judge
import { newPostgresDatabase, startPostgres, type PostgresServer } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DatabaseUnavailableError, isTransient, retryTransient } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";
import { startProxy } from "../testing/start-proxy.ts";

describe("a database that is killed and restarted", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("breaks idle connections with a log line, fails statements in flight with a transient error, and then works again", async () => {
    const broken = Promise.withResolvers<unknown>();
    const { db, transaction, batch } = await openNotes(server.url, { onIdleError: broken.resolve });
    // Two connections: one idle, the other in a query, and then in an idle transaction.
    await Promise.all([sql`select pg_sleep(0.1)`.execute(db), sql`select pg_sleep(0.1)`.execute(db)]);
    const inFlight = sql`select pg_sleep(30)`.execute(db);
    const begun = Promise.withResolvers<void>();
    const killed = Promise.withResolvers<void>();
    const resting = transaction(async (tx) => {
      await tx.insertInto("note").values({ id: "resting", at: 1, text: null }).execute();
      begun.resolve();
      await killed.promise;
      await tx.insertInto("note").values({ id: "after", at: 1, text: null }).execute();
    });
    const sleep = sql`select pg_sleep(30)`.compile(db);
    const inBatch = batch([db.insertInto("note").values({ id: "batch", at: 1, text: null }).compile(), sleep]);
    const ends = Promise.allSettled([inFlight, resting, inBatch]);
    await begun.promise;
    await sql`select 1`.execute(db);
    await server.kill();
    await broken.promise;
    killed.resolve();
    for (const end of await ends) expect(end.status === "rejected" && isTransient(end.reason)).toBe(true);

    const back = retryTransient(() => db.insertInto("note").values({ id: "back", at: 1, text: null }).execute(), {
      budgetMs: 20_000,
    });
    await server.start();
    await back;
    expect(await db.selectFrom("note").select("id").execute()).toEqual([{ id: "back" }]);
  });

  test("lets an opening process wait until it is up, with a log line; after a timeout it is reported as down", async () => {
    await server.kill();
    const late = openNotes(server.url, { waitMs: 50 });
    await expect(late).rejects.toThrow(DatabaseUnavailableError);
    await expect(late).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:\d+, database "postgres", cannot be used: .*ECONNREFUSED/,
    );
    await expect(late).rejects.toThrow("Start it, or check the host and the port");
    const waited = Promise.withResolvers<unknown>();
    const opened = openNotes(server.url, { waitMs: 20_000, onWait: waited.resolve });
    expect(await waited.promise).toBeInstanceOf(DatabaseUnavailableError);
    await server.start();
    await (await opened).ping();
  });
});

describe("a database that does not respond", () => {
  test("a statement times out, the rest of its transaction is rolled back, and its connection serves the next", async () => {
    const { db, transaction, batch } = await openNotes(await newPostgresDatabase(), {
      statementTimeoutMs: 200,
      connections: 1,
    });
    const slow = transaction(async (tx) => {
      await tx.insertInto("note").values({ id: "1", at: 1, text: null }).execute();
      await sql`select pg_sleep(30)`.execute(tx);
    });
    await expect(slow).rejects.toMatchObject({ code: "57014" });
    await expect(slow.catch(isTransient)).resolves.toBe(true);
    const note = db.insertInto("note").values({ id: "2", at: 1, text: null }).compile();
    const sleep = sql`select pg_sleep(30)`.compile(db);
    await expect(batch([note, sleep, note])).rejects.toMatchObject({ code: "57014" });
    expect(await db.selectFrom("note").selectAll().execute()).toEqual([]);
  });

  test("an idle transaction is ended, so that its rows are unlocked", async () => {
    const url = await newPostgresDatabase();
    const { transaction } = await openNotes(url, { statementTimeoutMs: 200 });
    const { db } = await openNotes(url);
    const resting = transaction(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      const gone = async (): Promise<boolean> =>
        (await sql`select 1 from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(db)).rows.length === 0;
      while (!(await gone()));
      await tx.selectFrom("note").selectAll().execute();
    });
    await expect(resting.catch(isTransient)).resolves.toBe(true);
  });

  test("a connection whose server falls silent is closed with a transient error", async () => {
    let silent = false;
    const url = await startProxy(
      await newPostgresDatabase(),
      () => (piece) => piece.subarray(silent ? piece.length : 0),
    );
    const { db, batch, close } = await openNotes(url, { statementTimeoutMs: 100, connections: 2 });
    await Promise.all([sql`select pg_sleep(0.05)`.execute(db), sql`select pg_sleep(0.05)`.execute(db)]);
    silent = true;
    const query = db.selectFrom("note").selectAll();
    for (const end of await Promise.allSettled([query.execute(), batch([query.compile(), query.compile()])])) {
      const reason = (end as PromiseRejectedResult).reason as Error;
      expect(reason.message).toContain("PostgreSQL has not responded");
      expect(isTransient(reason)).toBe(true);
    }
    silent = false;
    expect(await db.selectFrom("note").selectAll().execute()).toEqual([]);
    await close();
  });
});
