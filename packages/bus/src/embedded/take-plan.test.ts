import { explainStatements } from "@crosszone/sql/testing/explain";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openBusDatabase } from "../testing/open-bus-database.ts";
import { createMessageStore } from "./message-store.ts";

const place = { channel: "agent_tasks", group: "agent-bridge" } as const;

test("a take skips a long lane in front on PostgreSQL, even if the table was never analyzed", async () => {
  const database = await openBusDatabase(await newPostgresDatabase());
  onTestFinished(() => database.close());
  const { db } = database;
  await sql`alter table bus_message set (autovacuum_enabled = false)`.execute(db);
  // One lane of 20,000, then 1,000 lanes; another group has as many.
  await sql`
    insert into bus_message (channel, consumer_group, key, value, headers, published_at, attempt, visible_at)
    select ${place.channel}, g, g || case when n <= 20000 then 'one' else md5(n::text) end, repeat('v', 200), '{}', 1, 0, 0
    from generate_series(1, 21000) as n, unnest(array[${place.group}, 'another']) as g`.execute(db);
  const explained = explainStatements(db);
  const store = createMessageStore({ ...database, unflushed: (run) => run(explained.db) }, 60_000);
  expect(await store.take(place, 50)).toEqual([]);
  expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan on bus_message/);
  expect(explained.mostRows()).toBeLessThan(1_000);
  const taken = db.selectFrom("bus_message").select("key").where("lease", "is not", null);
  expect(new Set((await taken.execute()).map(({ key }) => key)).size).toBe(50);
});
