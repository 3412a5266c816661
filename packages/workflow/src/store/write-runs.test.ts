// suite: both
import { randomUUID } from "node:crypto";
import { agentCallJob, callId, type ExecutionColumn } from "@crosszone/agent-calls";
import type { Batch, NewJob } from "@crosszone/jobs";
import { createRecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { onBothEngines, newPostgresDatabase, testOnPostgres } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import {
  addRuns,
  type ExecutorTables,
  jobsOf,
  nothing,
  openWorkflowDatabase,
  runRow,
} from "../testing/new-executor.ts";
import type { StepRow } from "./run-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";
import { type MovedRunRow, writeMovedRuns, writeNewRuns } from "./write-runs.ts";

type Turns = Batch<ExecutionColumn, keyof MovedRunRow, keyof StepRow>;

const callOf = (run_id: string, task_id: string) => ({
  task: { run_id, task_id, agent_name: "a", input_data: "x", correlation_id: "c", timestamp: "2026-01-01T00:00:00Z" },
  headers: {},
  deadlineMs: 60_000,
  parent: run_id,
});

const jobOf = (run_id: string, task_id: string): NewJob<ExecutionColumn> =>
  agentCallJob(callOf(run_id, task_id), "leased", createRecordCodec(undefined));

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
function turn(run_id: string, [from, to]: readonly [string, string], { revision = 1 } = {}): Turns {
  const { request_key: _key, definition: _definition, ...changing } = runRow({ run_id });
  return {
    units: [{ ...changing, revision: revision + 1, expected_revision: revision, created_at: 1 }],
    parts: [stepRow(run_id, to, revision + 1)],
    done: [{ unit: run_id, leaseId: { id: callId({ run_id, task_id: from }), attempt: 1 } }],
    dropped: [],
    added: [jobOf(run_id, to)],
  };
}

const join = (all: readonly Turns[]): Turns => ({
  units: all.flatMap(({ units }) => units),
  parts: all.flatMap(({ parts }) => parts),
  done: all.flatMap(({ done }) => done),
  dropped: all.flatMap(({ dropped }) => dropped),
  added: all.flatMap(({ added }) => added),
});

onBothEngines("writing turns of runs", (newDatabase) => {
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
    const first = ids.map((run_id) => ({ ...turn(run_id, ["none", "a"], { revision: 0 }), done: [] }));
    const { units } = await writeMovedRuns(jobsOf(database), join(first));
    expect(units.size).toBe(ids.length);
  }

  async function stateOf({ db }: Database<ExecutorTables>): Promise<unknown> {
    const [runs, steps, calls] = await Promise.all([
      db.selectFrom("workflow_run").select(["run_id", "revision"]).orderBy("run_id").execute(),
      db.selectFrom("workflow_step").select(["run_id", "path"]).orderBy("run_id").orderBy("path").execute(),
      db.selectFrom("job").select(["id", "state", "owner", "outcome"]).orderBy("id").execute(),
    ]);
    return { runs, steps, calls };
  }

  test("B7: a stale revision writes nothing of its run, and the rest of its batch is written", async () => {
    const database = await open(await newDatabase());
    await begin(database, ["r1", "r2"]);
    const written = await writeMovedRuns(
      jobsOf(database),
      join([turn("r1", ["a", "b"], { revision: 0 }), turn("r2", ["a", "b"])]),
    );
    expect([...written.units]).toEqual(["r2"]);
    expect([...written.added]).toEqual([callId({ run_id: "r2", task_id: "b" })]);
    const { runs, steps, calls } = (await stateOf(database)) as Record<string, { id?: string }[]>;
    expect(runs).toEqual([
      { run_id: "r1", revision: 1 },
      { run_id: "r2", revision: 2 },
    ]);
    expect(steps).toHaveLength(3);
    const left = [callId({ run_id: "r1", task_id: "a" }), callId({ run_id: "r2", task_id: "b" })];
    expect(calls?.map(({ id }) => id)).toEqual(left.toSorted());
  });

  test("B7: a lost lease writes nothing, whether the call was leased again or canceled", async () => {
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
      const written = await writeMovedRuns(jobsOf(database), turn(id, ["a", "b"]));
      expect([id, [...written.units], [...written.added]]).toEqual([id, [], []]);
      expect(await stateOf(database)).toEqual(before);
    }
  });

  test("unneeded calls end with the change, whoever leases them", async () => {
    const database = await open(await newDatabase());
    await begin(database, ["r1"]);
    const second = turn("r1", ["a", "b"]);
    await writeMovedRuns(jobsOf(database), { ...second, added: [...second.added, jobOf("r1", "c")] });
    const id = callId({ run_id: "r1", task_id: "c" });
    await database.db.updateTable("job").set({ owner: "other" }).where("id", "=", id).execute();
    const third = turn("r1", ["b", "d"], { revision: 2 });
    await writeMovedRuns(jobsOf(database), { ...third, dropped: [{ unit: "r1", id, outcome: "canceled" }] });
    const call = database.db.selectFrom("job").select(["state", "outcome", "input", "owner"]).where("id", "=", id);
    expect(await call.execute()).toEqual([{ state: 4, outcome: "canceled", input: null, owner: null }]);
  });
});

onBothEngines("inserting runs", (newDatabase) => {
  test("executors that insert request keys in opposite orders do not deadlock", async () => {
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

/** A run's call, which waits for a result from Kafka. */
const waitingCall = (run_id: string): NewJob<ExecutionColumn> => {
  const call = { task: { ...task, run_id, task_id: "t" }, headers: {}, deadlineMs: 60_000, parent: run_id };
  return agentCallJob(call, "waiting", createRecordCodec(undefined));
};

testOnPostgres(
  "PostgreSQL: turns lock the calls they end in id order, like every other statement, so they cannot deadlock",
  async () => {
    const database = await openWorkflowDatabase(await newPostgresDatabase());
    // The first turn ends the call with the highest id.
    const runs = ["r1", "r2", "r3"].toSorted((a, b) =>
      callId({ run_id: a, task_id: "t" }) < callId({ run_id: b, task_id: "t" }) ? 1 : -1,
    );
    const added = { ...nothing, units: runs.map((run_id) => runRow({ run_id })), added: runs.map(waitingCall) };
    await writeNewRuns(jobsOf(database), added);
    const moved = added.units.map((row) => ({ ...row, revision: 1, expected_revision: 0 }));
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
    const dropped = runs.map((unit, index) => ({ unit, id: ids[index] ?? "", outcome: "succeeded" }));
    const written = writeMovedRuns(jobsOf(database), { ...nothing, units: moved, dropped });
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(database.db)).rows.length).toBe(1);
    const free = await sql<{ id: string }>`select id from job order by id for update skip locked`.execute(database.db);
    release();
    await other;
    expect(free.rows.map(({ id }) => id)).toEqual(ids.slice(0, -1).toReversed());
    expect((await written).units.size).toBe(3);
  },
);
