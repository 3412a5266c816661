// suite: both
import { latestJobsStep } from "@crosszone/agent-calls";
import { openDatabase } from "@crosszone/sql";
import { explainStatements } from "@crosszone/sql/testing/explain";
import { onFreshDatabases } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { addRuns, type ExecutorTables, openWorkflowDatabase, runRow } from "../testing/new-executor.ts";
import { endedAround, openRunsBelow } from "./run-trees.ts";
import { runTreesStep, workflowsStep } from "./workflow-migrations.ts";

onFreshDatabases("the tree of a run", (newDatabase, engine) => {
  test("X17: the open runs of an earlier build belong to the tree of the first run around them", async () => {
    const url = await newDatabase();
    const steps = { "0001_workflows": workflowsStep, "0002_jobs": latestJobsStep };
    const how = { url, schema: "workflow", onIdleError: () => undefined };
    const before = await openDatabase<ExecutorTables>({ ...how, migrations: steps });
    const add = async (run_id: string, parent: string | null) => {
      const { tree_id: _tree, parent_id: _parent, ...row } = runRow({ run_id });
      const adding = before.db.insertInto("workflow_run").values(row);
      await adding.execute();
      const job = { id: run_id, kind: "sub_run", share: "sub_run", parent, record: "{}", state: 0, attempt: 0 };
      const waiting = before.db.insertInto("job").values({ ...job, due_at: 0, created_at: 0 } as never);
      if (parent !== null) await waiting.execute();
    };
    for (const [run, parent] of [
      ["a", null],
      ["b", "a"],
      ["c", "b"],
      ["alone", null],
    ] as const)
      await add(run, parent);
    await before.close();
    const after = await openDatabase<ExecutorTables>({
      ...how,
      migrations: { ...steps, "0003_add_run_trees": runTreesStep },
    });
    onTestFinished(() => after.close());
    const rows = await after.db
      .selectFrom("workflow_run")
      .select(["run_id", "tree_id", "parent_id"])
      .orderBy("run_id")
      .execute();
    expect(rows.map(({ run_id, tree_id, parent_id }) => [run_id, tree_id, parent_id])).toEqual([
      ["a", null, null],
      ["alone", null, null],
      ["b", "a", "a"],
      ["c", "a", "b"],
    ]);
    expect(await openRunsBelow(after.db, "a")).toEqual(["b", "c"]);
    await after.db.updateTable("workflow_run").set({ ended_at: 1 }).where("run_id", "=", "a").execute();
    expect([...(await endedAround(after.db, ["c", "alone"]))]).toEqual(["c"]);
  });

  test.skipIf(engine === "sqlite")(
    "X17: what a change of a run reads of its tree does not grow with other runs",
    async () => {
      const database = await openWorkflowDatabase(await newDatabase());
      onTestFinished(() => database.close());
      const rows = Array.from({ length: 5_000 }, (_, n) =>
        runRow({ run_id: `r${n}`, tree_id: "r0", parent_id: `r${Math.floor((n - 1) / 20)}` }),
      );
      await addRuns(database, [runRow({ run_id: "r-1" }), ...rows]);
      await sql`analyze`.execute(database.db);
      const { db, plan, mostRows } = explainStatements(database.db);
      await endedAround(db, ["r4999"]);
      await openRunsBelow(db, "r240");
      expect(plan()).not.toContain("Seq Scan on workflow_run");
      expect(mostRows()).toBeLessThan(100);
    },
  );
});
