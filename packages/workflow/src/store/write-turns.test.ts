import { randomUUID } from "node:crypto";
import { agentCallJob, callId, executionJobs } from "@crosszone/agent-calls";
import { endRow, insertRow } from "@crosszone/jobs";
import { createRecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { contractOnSameTables, contractOnBothEngines, newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { type ExecutorTables, openWorkflowDatabase, addRuns, runRow } from "../testing/executor-parts.ts";
import type { StepRow } from "./step-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";
import type { TurnRows } from "./write-runs.ts";
import { writeTurns } from "./write-turns.ts";

const callOf = (run_id: string, task_id: string) => ({
  task: { run_id, task_id, agent_name: "a", input_data: "x", correlation_id: "c", timestamp: "2026-01-01T00:00:00Z" },
  headers: {},
  deadlineMs: 60_000,
  parent: run_id,
});

const jobRow = (run_id: string, task_id: string, owner = "me") =>
  insertRow(executionJobs, agentCallJob(callOf(run_id, task_id), "leased", createRecordCodec(undefined)), owner);

const stepRow = (run_id: string, path: string, revision: number): StepRow => ({
  run_id,
  path,
  attempt: 1,
  state: "running",
  revision,
  task_id: null,
  started_at: 1,
  ended_at: null,
  team: null,
  record: "{}",
  input: null,
  output: null,
  error: null,
});

/** The turn that applies the result of the call `from`, and calls `to`. */
function turn(run_id: string, [from, to]: readonly [string, string], { revision = 1, owner = "me" } = {}): TurnRows {
  const { request_key: _key, definition: _definition, ...changing } = runRow({ run_id });
  const held = { id: callId({ run_id, task_id: from }), attempt: 1 };
  return {
    runs: [
      {
        ...changing,
        revision: revision + 1,
        expected_revision: revision,
        created_at: 1,
        ending_calls: 1,
      },
    ],
    steps: [stepRow(run_id, to, revision + 1)],
    ended: [{ ...endRow(executionJobs, held, { owner, end: { outcome: "succeeded", output: null } }), run_id }],
    dropped: [],
    calls: [jobRow(run_id, to)],
  };
}

const join = (all: readonly TurnRows[]): TurnRows => ({
  runs: all.flatMap(({ runs }) => runs),
  steps: all.flatMap(({ steps }) => steps),
  ended: all.flatMap(({ ended }) => ended),
  dropped: all.flatMap(({ dropped }) => dropped),
  calls: all.flatMap(({ calls }) => calls),
});

contractOnSameTables("writing turns of runs", (newDatabase) => {
  async function open(url: string): Promise<Database<ExecutorTables>> {
    const database = await openWorkflowDatabase(url);
    onTestFinished(() => database.close());
    return database;
  }

  /** Runs whose revision is 1 and whose call `a` this process leases. */
  async function begin(database: Database<WorkflowTables>, ids: readonly string[]): Promise<void> {
    await addRuns(
      database,
      ids.map((run_id) => runRow({ run_id })),
    );
    const first = ids.map((run_id) => ({ ...turn(run_id, ["none", "a"], { revision: 0 }), ended: [] }));
    const rows = join(first);
    const runs = rows.runs.map((row) => ({ ...row, ending_calls: 0 }));
    const { runs: moved } = await writeTurns(database, { ...rows, runs });
    expect(moved.size).toBe(ids.length);
  }

  async function stateOf({ db }: Database<ExecutorTables>): Promise<unknown> {
    const [runs, steps, calls] = await Promise.all([
      db.selectFrom("workflow_run").select(["run_id", "revision"]).orderBy("run_id").execute(),
      db.selectFrom("workflow_step").select(["run_id", "path"]).orderBy("run_id").orderBy("path").execute(),
      db.selectFrom("job").select(["id", "state", "owner", "outcome"]).orderBy("id").execute(),
    ]);
    return { runs, steps, calls };
  }

  test("B6, B7: a stale revision writes nothing of its run, and the rest of its batch is written", async () => {
    const database = await open(await newDatabase());
    await begin(database, ["r1", "r2"]);
    const written = await writeTurns(database, join([turn("r1", ["a", "b"], { revision: 0 }), turn("r2", ["a", "b"])]));
    expect([...written.runs]).toEqual(["r2"]);
    expect([...written.calls]).toEqual([callId({ run_id: "r2", task_id: "b" })]);
    const { runs, steps, calls } = (await stateOf(database)) as Record<string, { id?: string }[]>;
    expect(runs).toEqual([
      { run_id: "r1", revision: 1 },
      { run_id: "r2", revision: 2 },
    ]);
    expect(steps).toHaveLength(3);
    const left = [callId({ run_id: "r1", task_id: "a" }), callId({ run_id: "r2", task_id: "b" })];
    expect(calls?.map(({ id }) => id)).toEqual(left.toSorted());
  });

  test("B6, B7: a lost lease writes nothing, whether the call was leased again or canceled", async () => {
    const database = await open(await newDatabase());
    for (const [id, change] of [
      ["r1", { owner: "other" }],
      ["r2", { attempt: 2 }],
      ["r3", { state: 0 as const, owner: null }],
      ["r4", { state: 4 as const, outcome: "canceled" }],
    ] as const) {
      await begin(database, [id]);
      await database.db.updateTable("job").set(change).where("parent", "=", id).execute();
      const before = await stateOf(database);
      const written = await writeTurns(database, turn(id, ["a", "b"]));
      expect([id, [...written.runs], [...written.calls]]).toEqual([id, [], []]);
      expect(await stateOf(database)).toEqual(before);
    }
  });

  test("a call whose result is applied is deleted", async () => {
    const database = await open(await newDatabase());
    await begin(database, ["r1", "r2"]);
    await writeTurns(database, join([turn("r1", ["a", "b"]), turn("r2", ["a", "b"])]));
    expect(await database.db.selectFrom("job").select("parent").where("state", "=", 4).execute()).toEqual([]);
  });

  test("unneeded calls end with the change, whoever leases them", async () => {
    const database = await open(await newDatabase());
    await begin(database, ["r1"]);
    const second = turn("r1", ["a", "b"]);
    const other = { ...jobRow("r1", "c", "other") };
    await writeTurns(database, { ...second, calls: [...second.calls, other] });
    const id = callId({ run_id: "r1", task_id: "c" });
    const third = turn("r1", ["b", "d"], { revision: 2 });
    await writeTurns(database, { ...third, dropped: [{ run_id: "r1", id, outcome: "canceled" }] });
    const call = database.db.selectFrom("job").select(["state", "outcome", "input", "owner"]).where("id", "=", id);
    expect(await call.execute()).toEqual([{ state: 4, outcome: "canceled", input: null, owner: null }]);
  });
});

contractOnBothEngines("inserting runs", (newDatabase) => {
  test("Z9: executors that insert request keys in opposite orders do not deadlock", { timeout: 60_000 }, async () => {
    const url = await newDatabase();
    const openAgain = async (): Promise<Database<WorkflowTables>> => {
      const database = await openWorkflowDatabase(url);
      onTestFinished(() => database.close());
      return database;
    };
    const both = [await openAgain(), await openAgain()];
    const keys = Array.from({ length: 5000 }, (_, index) => String(index));
    const orders = [keys, keys.toReversed()];
    const added = await Promise.all(
      both.map((database, at) =>
        addRuns(
          database,
          (orders[at] ?? []).map((request_key) => runRow({ run_id: randomUUID(), request_key })),
        ),
      ),
    );
    expect(added.reduce((sum, ids) => sum + ids.size, 0)).toBe(keys.length);
  });
});

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
