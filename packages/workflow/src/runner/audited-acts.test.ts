// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openExecutor } from "../testing/executors-under-test.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const by = { actor: "token:ci", correlationId: "c-1" };
const definition = workflowOf([agentStep("a")]);
const { workflow_id } = definition;

onBothEngines("V1: the audit log of workflows and runs", (newDatabase) => {
  const open = async () => {
    const executor = await openExecutor(await newDatabase(), { isStarted: false });
    const { db } = executor.database;
    const acts = async () => {
      const events = sql<{ act: string; event: string }>`
        select action || ' ' || actor || ' ' || target as act, event from audit_event order by id`;
      return (await events.execute(db)).rows;
    };
    return { ...executor, db, acts };
  };

  test("has each act of a token once, with what it is about, and none of a question", async () => {
    const { workflows, acts } = await open();
    await workflows.createVersion(definition, undefined, by);
    await workflows.createVersion(definition, undefined, by);
    const options = { by, idempotencyKey: "k" };
    const starts = [1, 2].map(() => workflows.startRun({ workflow_id, input: { text: "Ada asked" } }, options));
    const [started] = await Promise.all(starts);
    const { run_id: id } = (started as { run: { run_id: string } }).run;
    await workflows.startRun({ workflow_id });
    await Promise.all([workflows.cancel(id, by), workflows.cancel(id, by)]);
    await workflows.retry(id, by);
    const found = await acts();
    expect(found.map(({ act }) => act)).toEqual([
      `workflow.create token:ci workflow:${workflow_id}`,
      `run.start token:ci run:${id}`,
      `run.cancel token:ci run:${id}`,
    ]);
    expect(JSON.stringify(found)).not.toContain("Ada asked");
    expect(JSON.parse(found[1]?.event ?? "")).toMatchObject({ correlation_id: "c-1", details: { workflow_id } });
  });

  test("has an act together with its change, or neither", async () => {
    const { workflows, db, acts } = await open();
    await workflows.createVersion(definition);
    const started = await workflows.startRun({ workflow_id });
    const { run_id: id } = (started as { run: { run_id: string } }).run;
    await sql`alter table audit_event rename to away`.execute(db);
    const other = { ...definition, version: "2" };
    await expect(workflows.createVersion(other, undefined, by)).rejects.toThrow(/audit_event/);
    await expect(workflows.startRun({ workflow_id }, { by })).rejects.toThrow(/audit_event/);
    await expect(workflows.cancel(id, by)).rejects.toThrow(/audit_event/);
    await sql`alter table away rename to audit_event`.execute(db);
    expect((await workflows.listVersions(workflow_id, { limit: 9 })).total).toBe(1);
    const { runs } = await workflows.listRuns({ limit: 9 });
    expect(runs).toMatchObject([{ run_id: id, state: "running" }]);
    expect(await acts()).toEqual([]);
  });
});
