import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { explainStatements } from "@crosszone/sql/testing/explain";
import { createRecordCodec } from "@crosszone/service-kit";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { takeRecord } from "./take-record.ts";

const options = { owner: "me", leaseMs: 60_000, attempts: 8, codec: createRecordCodec(undefined) };

test("a take skips a long thread in front on PostgreSQL, even if the table was never analyzed", async () => {
  const database = await openVerificationDatabase({ url: await newPostgresDatabase() });
  onTestFinished(() => database.close());
  const { db, engine } = database;
  await sql`alter table inbox set (autovacuum_enabled = false)`.execute(db);
  // One thread of 20,000 records whose first one is leased, then 1,000 threads.
  await sql`
    insert into inbox (request_id, kind, team_id, lane, channel, record, state, due_at, accepted_at)
    select 'r' || n, 'ask', 'T1', case when n <= 20000 then 'one' else md5(n::text) end, 'c', repeat('r', 200),
      case when n = 1 then 'in_work' else 'waiting' end, case when n = 1 then 9e15 else 1 end, 1
    from generate_series(1, 21000) as n`.execute(db);
  const explained = explainStatements(db);
  expect(await takeRecord({ db: explained.db, engine }, "ask", options)).toBeUndefined();
  expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan on inbox/);
  expect(explained.mostRows()).toBeLessThan(1_000);
  const taken = db.selectFrom("inbox").select("lane").where("owner", "=", "me");
  expect((await taken.executeTakeFirstOrThrow()).lane).not.toBe("one");
});
