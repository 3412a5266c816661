import { randomUUID } from "node:crypto";
import type { Database } from "@crosszone/sql";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openWorkflowDatabase } from "../testing/executor-parts.ts";
import { addRuns, runRow } from "../testing/run-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

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
