// suite: both
import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { jobStates } from "@crosszone/jobs";
import { createRecordCodec, createVault, type VaultKey } from "@crosszone/service-kit";
import { createOwnedData } from "@crosszone/sql";
import { listTables } from "@crosszone/sql/testing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { ThreadStore } from "../inbox/thread-store.ts";
import { ownerlessTables, verificationTables } from "./tables.ts";
import { verificationPurges } from "./open-zone.ts";
import { plantedWords, plantTeam } from "../testing/plant-team.ts";
import {
  openTestAudit,
  createTestInbox,
  takeOne,
  questionRecord,
  park,
  openTestDatabase,
} from "../testing/test-inbox.ts";
import { createInstallationStore } from "../workspaces/installation-store.ts";

const newKey = (id: string): VaultKey => ({ id, key: createSecretKey(randomBytes(32)) });

onBothEngines("the data of a team in the verification zone", (newDatabase, engine) => {
  const start = async () => {
    const url = await newDatabase();
    const database = await openTestDatabase(url);
    for (const team of ["T1", "T2"]) await plantTeam(database, team);
    return { database, url, data: createOwnedData(database, { tables: verificationTables }) };
  };

  test("every table is known to the data commands, or is listed with a reason", async () => {
    const { database } = await start();
    const known = [...verificationTables.map(({ name }) => name), ...Object.keys(ownerlessTables)];
    expect(await listTables(database as never)).toEqual(known.toSorted());
  });

  test("an export has a row of each table that has a team", async () => {
    const { data } = await start();
    const exported = [];
    for await (const { table, row } of data.rows("T1")) exported.push({ table, text: JSON.stringify(row) });
    expect(exported.map(({ table }) => table)).toEqual(verificationTables.map(({ name }) => name));
    expect(exported.map(({ text }) => text).join("\n")).toContain(plantedWords("T1"));
    expect(exported.map(({ text }) => text).join("\n")).not.toContain(plantedWords("T2"));
  });

  test("after a purge no row and no byte of the team is left, and all other teams' rows remain", async () => {
    const { data, url } = await start();
    await data.purge("T1");
    expect((await data.count("T1")).map(({ rows }) => rows)).toEqual(verificationTables.map(() => 0));
    expect((await data.count("T2")).map(({ rows }) => rows)).toEqual(verificationTables.map(() => 1));
    if (engine === "postgres") return;
    const path = url.slice("sqlite:".length);
    const bytes = [path, `${path}-wal`].filter(existsSync).map((file) => readFileSync(file, "latin1"));
    expect(bytes.join("")).not.toContain(plantedWords("T1"));
    expect(bytes.join("")).toContain(plantedWords("T2"));
  });

  test("with keys no text is readable in the database; after a key rotation the old key can be removed", async () => {
    const database = await openTestDatabase(await newDatabase());
    const [old, today] = [newKey("old"), newKey("today")];
    await plantTeam(database, "T1", createVault([old]));
    const stored = async () =>
      JSON.stringify([
        await database.db.selectFrom("job").selectAll().execute(),
        await database.db.selectFrom("rating").select("reason").execute(),
      ]);
    expect(await stored()).not.toContain(plantedWords("T1"));
    const dataWith = (...keys: [VaultKey, ...VaultKey[]]) =>
      createOwnedData(database, { tables: verificationTables, sealer: createVault(keys) });
    const resealed = await dataWith(today, old).reseal();
    expect(resealed.filter(({ sealed }) => sealed > 0)).toEqual([
      { table: "installation", sealed: 1, failed: 0 },
      { table: "job", sealed: 1, failed: 0 },
      { table: "rating", sealed: 1, failed: 0 },
      { table: "audit_content", sealed: 1, failed: 0 },
    ]);
    expect(await stored()).not.toContain(plantedWords("T1"));
    const inbox = createTestInbox(database, { codec: createRecordCodec(createVault([today])) });
    expect(await takeOne(inbox, "ask")).toMatchObject({ record: { text: plantedWords("T1") } });
    const { append } = await openTestAudit(database);
    const installations = createInstallationStore(database, createVault([today]), append);
    const installed = await installations.find("T1");
    expect(installed && (await installations.grantOf(installed))).toEqual({ token: plantedWords("T1") });
  });
});

const dayMs = 86_400_000;
const hourMs = 3_600_000;

onBothEngines("the purge of verification", (newDatabase) => {
  const start = async () => {
    const database = await openTestDatabase(await newDatabase());
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
    await park(inbox, taken as NonNullable<typeof taken>, "it failed");
    await plantTeam(database, "T1");
    await database.db.updateTable("job").set({ created_at: 1, due_at: 1 }).execute();
    const soon = Date.now() + 60_000;
    await database.db.insertInto("spent_state").values({ digest: "spent", expires_at: soon }).execute();
    expect(await purge()).toEqual({ handle: 0, spent_state: 0, claim: 0, thread: 0, job: 0, message: 0, rating: 0 });
  });

  test("W4: claims of messages are kept as long as what became of them, up to a number; those of events for a day", async () => {
    const { database, purge } = await start();
    const { db } = database;
    const now = Date.now();
    const claim = (digest: string, age: number, of_message = 1) => {
      return { digest, of_message, request_id: digest, claimed_at: now - age };
    };
    const left = async () =>
      (await db.selectFrom("claim").select("digest").where("digest", "not like", "n%").orderBy("digest").execute()).map(
        ({ digest }) => digest,
      );
    const rows = [claim("event", 26 * hourMs, 0), claim("fresh", hourMs, 0), claim("month", 31 * dayMs)];
    await db
      .insertInto("claim")
      .values([...rows, claim("week", 7 * dayMs), claim("young", 24 * hourMs)])
      .execute();
    await purge();
    expect(await left()).toEqual(["fresh", "week", "young"]);
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
      insert into claim select 'n' || i, 'n', ${sql.lit(now - hourMs)}, 1 from n`.execute(db);
    await purge();
    expect(await left()).toEqual(["fresh", "young"]);
  });

  test("deletes expired handles, claims of yesterday, inactive threads and records that were parked long ago", async () => {
    const { database, purge } = await start();
    const { db } = database;
    const inbox = createTestInbox(database);
    for (const request_id of [randomUUID(), randomUUID()])
      await inbox.accept(questionRecord({ request_id, claims: [request_id], thread_ts: request_id }));
    await new ThreadStore(database).join(questionRecord());
    const taken = await takeOne(inbox, "ask");
    await park(inbox, taken as NonNullable<typeof taken>, "it failed");
    await plantTeam(database, "T1");
    const now = Date.now();
    const ages = [
      ["handle", "expires_at", 1_000],
      ["claim", "claimed_at", 26 * hourMs],
      ["thread", "used_at", 91 * dayMs],
      ["rating", "rated_at", 31 * dayMs],
    ] as const;
    for (const [table, column, age] of ages)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${now - age}`.execute(db);
    await db
      .updateTable("job")
      .set({ ended_at: now - 31 * dayMs })
      .where("state", "=", jobStates.parked)
      .execute();
    await db
      .insertInto("spent_state")
      .values({ digest: "spent", expires_at: now - 1_000 })
      .execute();
    expect(await purge()).toMatchObject({ handle: 1, spent_state: 1, job: 1, rating: 1 });
    expect(await purge()).toEqual({ handle: 0, spent_state: 0, claim: 0, thread: 0, job: 0, message: 0, rating: 0 });
    const left = async (table: "claim" | "thread" | "handle") =>
      (await db.selectFrom(table).selectAll().execute()).length;
    expect([await left("claim"), await left("thread"), await left("handle")]).toEqual([0, 0, 0]);
    expect((await db.selectFrom("job").select("state").execute()).map(({ state }) => state)).not.toContain(
      jobStates.parked,
    );
  });
});
