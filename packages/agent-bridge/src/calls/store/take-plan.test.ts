import { explainStatements } from "@crosszone/sql/testing/explain";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openBridgeDatabase } from "../../testing/open-bridge-database.ts";
import { takeRows } from "./take-calls.ts";

const options = { owner: "me", leaseMs: 60_000, running: [], onlyNobodys: false };

test("a take walks the index of open calls on PostgreSQL, even when the table was never analyzed", async () => {
  const { db, engine } = await openBridgeDatabase(await newPostgresDatabase()).then((database) => {
    onTestFinished(() => database.close());
    return database;
  });
  await sql`alter table agent_call set (autovacuum_enabled = false)`.execute(db);
  await sql`
    insert into agent_call (id, agent, state, attempt, lease_until, created_at, deadline_at, record, input)
    select 'call-' || n, 'agent-' || n % 5, 'open', 0, n, n, n, repeat('r', 200), 'i'
    from generate_series(1, 5000) as n`.execute(db);
  const explained = explainStatements(db);
  const shares = Array.from({ length: 5 }, (_, at) => ({ agent: `agent-${at}`, most: 10 }));
  await takeRows({ engine, unflushed: (run) => run(explained.db) }, { ...options, shares });
  const text = explained.plan();
  expect(text.match(/Index Cond: \(\(agent = .* AND \(lease_until <= /g)).toHaveLength(shares.length);
  expect(text).not.toMatch(/Sort|Bitmap/);
});
