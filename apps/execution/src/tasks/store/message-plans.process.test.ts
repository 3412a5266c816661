// suite: rest
// inputs: packages/sql/** packages/jobs/** apps/execution/src/tasks/**
import { peopleColumn, personDigest } from "@crosszone/sql";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../../store/open-execution-database.ts";
import { createMessageStore, type MessageQuery } from "./message-store.ts";

const [count, chunk, start] = [1_000_000, 50_000, Date.parse("2026-11-01T00:00:00Z")];

/** Limit for the first rows of a list, milliseconds. */
const mostMs = 200;

onBothEngines("the list of a million messages", (newDatabase, engine) => {
  test(
    "W17: the first rows of each list are read from the start of an index, whatever the size of the table",
    { timeout: 300_000 },
    async () => {
      const database = await openExecutionDatabase({ url: await newDatabase() });
      onTestFinished(() => database.close());
      const { db } = database;
      for (let done = 0; done < count; done += chunk) {
        const last = sql.lit(done + chunk);
        const numbers = sql`with recursive numbers(n) as (select ${sql.lit(done + 1)} union all select n + 1 from numbers where n < ${last}) `;
        const isSqlite = engine === "sqlite";
        const from = isSqlite ? sql`numbers` : sql`generate_series(${sql.lit(done + 1)}, ${last}) as numbers(n)`;
        await sql`${isSqlite ? numbers : sql``}insert into message (reference, caller, team, revision, state, standing, channel, ts, thread_ts, user_id, received_at, stored_at, record)
          select 'c-' || n, 'verification', 'team', 1,
          case when n % 100000 = 0 then 'parked' when n % 100000 = 1 then 'open' else 'answered' end,
          case when n % 100000 = 0 then 'parked' when n % 100000 = 1 then 'open' when n % 100000 = 2 then 'failed' else 'answered' end, 'C' || (n % 50), 'ts-' || n, 'ts-' || (n - n % 3),
          case when n <= 9 then 'UOLD' else 'U' || (n % 500) end, ${sql.lit(start)} + n * ${sql.lit(1_000)}, 0, '{"reference":"c-' || n || '"}' from ${from} where true`.execute(
          db,
        );
      }
      const job = {
        kind: "task",
        share: "task",
        state: 0,
        due_at: 0,
        created_at: 0,
        attempt: 0,
        record: "{}",
      } as const;
      await db
        .insertInto("job")
        .values({ ...job, id: "t", correlation_id: "c-1", paused: "{}" })
        .execute();
      const asked = { caller: "verification", version: 1, seq: 1, created_at: 0, expires_at: 1, record: "{}" };
      const request = { ...asked, request_id: "inp_1", task_id: "t", state: "open", people: peopleColumn(["Bob"]) };
      await db
        .insertInto("input_request")
        .values(request as never)
        .execute();
      await db
        .insertInto("message_person")
        .values(
          [
            ["Ada", "U7"],
            ["Ada", "U8"],
            ["Eve", "UOLD"],
            ["Eve", "UGONE"],
            ["#seven", "C7"],
          ].map(([name = "", user_id = ""]) => ({ digest: personDigest(name), user_id, team: "team", seen_at: 0 })),
        )
        .execute();
      const { list } = createMessageStore(database, { retentionMs: 1 });
      const middle = [start + (count / 2) * 1_000, `c-${count / 2}`] as const;
      const queries: Readonly<Record<string, Partial<MessageQuery>>> = {
        newest: {},
        middle: { cursor: middle },
        state: { state: "parked" },
        "state from the middle": { state: "parked", cursor: middle },
        failed: { state: "failed" },
        "failed since": { state: "failed", since: middle[0] },
        "in work": { state: "open" },
        waiting: { state: "waiting" },
        "waiting for a person": { state: "waiting", person: "Bob" },
        "beginning of a reference": { beginning: "c-77777" },
        "channel by name": { person: "#seven" },
        channel: { channel: "C7" },
        link: { channel: "C7", ts: "ts-500007" },
        person: { person: "Ada" },
        "namesakes of long ago": { person: "Eve" },
        "namesakes of long ago since": { person: "Eve", since: start },
        "person and state": { person: "Eve", state: "answered" },
        "person and channel": { person: "Eve", channel: "C7" },
        nobody: { person: "Nobody" },
        "person and time": { person: "Ada", since: middle[0], until: middle[0] + 1_800_000 },
        reference: { reference: "c-77" },
      };
      const took: Record<string, number> = {};
      for (const [name, query] of Object.entries(queries)) {
        // A slow plan is slow each time; a busy machine is not.
        took[name] = Infinity;
        for (let run = 0; run < 3; run += 1) {
          const began = performance.now();
          const { found } = await list({ limit: 50, ...query });
          took[name] = Math.min(took[name], Math.round(performance.now() - began));
          expect([name, found.length > 0]).toEqual([name, name !== "nobody"]);
        }
      }
      expect(Object.entries(took).filter(([, ms]) => ms > mostMs)).toEqual([]);
    },
  );
});
