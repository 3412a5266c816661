import { isTransient } from "@crosszone/sql";
import { newSqliteDatabase, startPostgres } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { agentNamed, enterTasks, newTask, soon, startBridge, storedResults } from "../testing/bridge-under-test.ts";
import { createFakeCaller, echo } from "../testing/test-callers.ts";

test("N5: agents that answer while the database is down are called once, and their results are stored when it is back", async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const gate = Promise.withResolvers<void>();
  const { caller, calls } = createFakeCaller(async (call) => {
    await gate.promise;
    return echo(call);
  });
  const agents = [agentNamed("A", { max_concurrency: 50 })];
  const opened = await startBridge(server.url, { agents, caller });
  const { bridge, eventsOf } = opened;
  const tasks = Array.from({ length: 20 }, (_, index) => newTask(`t${index}`));
  await enterTasks(opened, tasks);
  await expect.poll(() => calls.length, soon).toBe(20);
  await server.kill();
  gate.resolve();
  await expect.poll(() => eventsOf("storeFailed").length, soon).toBeGreaterThan(0);
  expect(await bridge.readings().catch(isTransient)).toBe(true);
  await server.start();
  await expect.poll(() => opened.given.length, soon).toBe(20);
  expect(calls).toHaveLength(20);
  const results = await storedResults(opened).until(tasks);
  expect(results.every(({ status }) => status === "SUCCESS")).toBe(true);
  await expect.poll(() => enterTasks(opened, [newTask("after")]).catch(() => undefined), soon).toBeDefined();
  await storedResults(opened).until([newTask("after")]);
}, 120_000);

test("R3.5, R7.4: an invalid result is a FAILURE that explains it; calls that end at the same time are unaffected", async () => {
  const { caller } = createFakeCaller((call) => {
    if (call.task.task_id !== "odd") return echo(call);
    // Neither a JSON-RPC code nor a message of the contract can be half a number.
    const failure = new AgentFailure("rpc_error", "odd", { code: 0.5 });
    return { output: null, failure, attempts: 1 };
  });
  const opened = await startBridge(await newSqliteDatabase(), { agents: [agentNamed("A")], caller });
  const { eventsOf } = opened;
  const results = storedResults(opened);
  const tasks = [newTask("odd"), newTask("even")];
  await enterTasks(opened, tasks);
  await results.until(tasks);
  expect(await results.of("even")).toMatchObject({ status: "SUCCESS" });
  expect(await results.of("odd")).toMatchObject({
    status: "FAILURE",
    error: { kind: "internal" },
    error_message: "The agent's result could not be stored.",
  });
  expect(eventsOf("resultRefused")).toMatchObject([
    [{ task_id: "odd" }, { attempts: 1, durationMs: expect.any(Number) as number, failure: { kind: "internal" } }],
  ]);
  expect(eventsOf("storeFailed")).toMatchObject([
    ["end", { message: expect.stringContaining("/error/code") as string }],
  ]);
});

test("an ended task is deleted after its retention time, and is a new task if it is delivered again", async () => {
  const { caller } = createFakeCaller();
  const opened = await startBridge(await newSqliteDatabase(), {
    agents: [agentNamed("A")],
    caller,
    limits: { retentionMs: 0 },
  });
  const { bridge, database } = opened;
  await enterTasks(opened, [newTask("t1")]);
  await expect.poll(() => bridge.purge.purge(10), soon).toBe(1);
  expect(await bridge.purge.purge(10)).toBe(0);
  expect(await database.db.selectFrom("job").selectAll().execute()).toEqual([]);
  expect(await enterTasks(opened, [newTask("t1")])).toEqual([true]);
  await expect.poll(() => opened.given.length, soon).toBe(2);
});

test("N5: a call whose end cannot be stored is retried, and abandoned after its attempts", async () => {
  const { caller, calls } = createFakeCaller();
  const agents = [agentNamed("A")];
  const opened = await startBridge(await newSqliteDatabase(), { agents, caller, leaseMs: 300 });
  const { db } = opened.database;
  await sql`
    create trigger refuse before update of outcome on job
    when new.attempt <= 3 begin select raise(abort, 'no ends'); end`.execute(db);
  await enterTasks(opened, [newTask("t1")]);
  const [result] = await storedResults(opened).until([newTask("t1")]);
  expect(result).toMatchObject({
    error: { kind: "internal" },
    error_message: expect.stringContaining("3 times") as string,
  });
  expect(calls).toHaveLength(3);
  expect(opened.eventsOf("resultRefused")).toHaveLength(3);
}, 60_000);
