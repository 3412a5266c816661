import { agentCallJob, callId, executionJobs, insertRow } from "@crosszone/jobs";
import { createRecordCodec } from "@crosszone/service-kit";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openWorkflowDatabase } from "../testing/executor-parts.ts";
import { runRow } from "../testing/run-row.ts";
import { writeTurns } from "./write-turns.ts";

const task = { agent_name: "a", input_data: "x", correlation_id: "c", timestamp: "2026-01-01T00:00:00Z" };

/** The row of a run's call, which waits for a result from Kafka. */
const callRow = (run_id: string) => {
  const call = { task: { ...task, run_id, task_id: "t" }, headers: {}, deadlineMs: 60_000, parent: run_id };
  return insertRow(executionJobs, agentCallJob(call, "waiting", createRecordCodec(undefined)), "me");
};

test("PostgreSQL: turns lock the calls they end in id order, like every other statement, so they cannot deadlock", async () => {
  const database = await openWorkflowDatabase(await newPostgresDatabase());
  // The first turn ends the call with the highest id.
  const runs = ["r1", "r2", "r3"].toSorted((a, b) =>
    callId({ run_id: a, task_id: "t" }) < callId({ run_id: b, task_id: "t" }) ? 1 : -1,
  );
  const nothing = { steps: [], ended: [], dropped: [], calls: [] };
  const added = { ...nothing, runs: runs.map((run_id) => runRow({ run_id })), calls: runs.map(callRow) };
  await writeTurns(database, added, { isNew: true });
  const moved = added.runs.map((row) => ({ ...row, revision: 1, expected_revision: 0, ending_calls: 0 }));
  const ids = runs.map((run_id) => callId({ run_id, task_id: "t" }));
  const lowest = ids.at(-1) ?? "";
  onTestFinished(() => database.close());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const other = database.transaction(async (transaction) => {
    await sql`select id from job where id = ${lowest} for update`.execute(transaction);
    isLocked();
    await released;
  });
  onTestFinished(() => release());
  await locked;
  const dropped = runs.map((run_id, index) => ({ run_id, id: ids[index] ?? "", outcome: "succeeded" }));
  const written = writeTurns(database, { ...nothing, runs: moved, dropped });
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(database.db)).rows.length).toBe(1);
  const free = await sql<{ id: string }>`select id from job order by id for update skip locked`.execute(database.db);
  release();
  await other;
  expect(free.rows.map(({ id }) => id)).toEqual(ids.slice(0, -1).toReversed());
  expect((await written).runs.size).toBe(3);
});
