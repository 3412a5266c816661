import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openWorkflowDatabase } from "../testing/executor-parts.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import { createVersionStore } from "./version-store.ts";

contractOnBothEngines("a page of workflows", (newDatabase) => {
  test("contains the latest version of each, and always costs two statements", async () => {
    const { engine, ...database } = await openWorkflowDatabase(await newDatabase());
    onTestFinished(() => database.close());
    let statements = 0;
    const counting = database.db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const versions = createVersionStore({ db: counting, engine });
    for (const workflow_id of ["b", "a", "c"])
      for (const version of ["2", "1"]) await versions.add(workflowOf([agentStep("ask")], { workflow_id, version }));
    statements = 0;
    const { workflows, total } = await versions.list({ limit: 2, offset: 0 });
    expect(workflows).toMatchObject([
      { workflow_id: "a", version: "1" },
      { workflow_id: "b", version: "1" },
    ]);
    expect([total, statements]).toEqual([3, 2]);
    expect((await versions.list({ limit: 2, offset: 3 })).workflows).toEqual([]);
  });
});
