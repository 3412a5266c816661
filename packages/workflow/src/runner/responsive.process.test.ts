import { setTimeout as delay } from "node:timers/promises";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openExecutor } from "../testing/executors-under-test.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

/** The time to compile a schema grows with the square of the number of these. */
const choice = { properties: { a: { const: 1 } } };
const slowSchema = { oneOf: Array.from({ length: 1_800 }, () => choice) };

/** Returns the longest time that the event loop was blocked during `run`, milliseconds. */
async function standstill(run: () => Promise<unknown>): Promise<number> {
  let [before, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
  }, 5);
  await run();
  await delay(50);
  clearInterval(timer);
  return longest;
}

test("I8: a definition whose schema takes too long is refused and does not block the event loop", async () => {
  const { workflows } = await openExecutor(await newSqliteDatabase());
  await workflows.validate(workflowOf([agentStep("a")]));
  const outcomes: unknown[] = [];
  const stood = await standstill(async () => {
    for (const version of ["1", "2"])
      outcomes.push(await workflows.createVersion(workflowOf([agentStep("a")], { version, input_schema: slowSchema })));
  });
  const problem = {
    pointer: "/input_schema",
    message: expect.stringMatching(/took longer than .* to check; use fewer/),
  };
  expect(outcomes).toEqual([1, 2].map(() => ({ outcome: "invalid", problems: [problem] })));
  expect(stood).toBeLessThan(800);
});

test("I8: a stored definition whose schema takes too long is compiled once and does not block the event loop", async () => {
  const { workflows, database } = await openExecutor(await newSqliteDatabase());
  const definition = workflowOf([agentStep("a")], { input_schema: { type: "object" } });
  await workflows.createVersion(definition);
  const stored = JSON.stringify({ ...definition, input_schema: slowSchema });
  await sql`update workflow set definition = ${stored}`.execute(database.db);
  const start = (): Promise<unknown> => workflows.startRun({ workflow_id: definition.workflow_id, input: {} });
  const stood = await standstill(async () => {
    expect(await start()).toMatchObject({ outcome: "invalid_input" });
  });
  expect(stood).toBeLessThan(800);
  const again = performance.now();
  expect(await start()).toMatchObject({ outcome: "invalid_input" });
  expect(performance.now() - again).toBeLessThan(800);
});

/** Takes a number, so that no schema is like one before. */
const newSlowSchema = (title: number) => ({ ...slowSchema, title: String(title) });

test("starts of runs waited behind every definition that was being checked", async () => {
  const { workflows } = await openExecutor(await newSqliteDatabase());
  const definition = workflowOf([agentStep("a")], { input_schema: { type: "object" } });
  await workflows.createVersion(definition);
  const order: string[] = [];
  const checks = [1, 2, 3].map(async (title) => {
    await workflows.validate(workflowOf([agentStep("a")], { input_schema: newSlowSchema(title) }));
    order.push("definition");
  });
  const started = await workflows.startRun({ workflow_id: definition.workflow_id, input: {} });
  order.push(started.outcome);
  await Promise.all(checks);
  expect(order.slice(0, 2)).toContain("started");
});

test("definitions waited in an endless queue, also those whose requests had ended", async () => {
  const { workflows } = await openExecutor(await newSqliteDatabase());
  const gone = new AbortController();
  const check = (title: number, signal?: AbortSignal) =>
    workflows.validate(workflowOf([agentStep("a")], { input_schema: newSlowSchema(100 + title) }), signal);
  const first = check(0);
  const waiting = Array.from({ length: 60 }, (_, at) => check(1 + at, gone.signal).catch((error: unknown) => error));
  const small = workflows.validate(workflowOf([agentStep("a")]));
  await expect(small).rejects.toMatchObject({ kind: "rate_limited", data: { retry_after_ms: 2_000 } });
  gone.abort(new Error("the client is gone"));
  await first;
  const outcomes = (await Promise.all(waiting)).map(String);
  expect(new Set(outcomes)).toEqual(new Set(["Error: the client is gone", expect.stringMatching(/^ZoneError/)]));
  expect(await workflows.validate(workflowOf([agentStep("a")]))).toEqual({ problems: [] });
});
