import type { MessageBus } from "@crosszone/bus";
import { isTransient } from "@crosszone/sql";
import { newSqliteDatabase, startPostgres } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { AgentFailure } from "../agent-failure.ts";
import { agentNamed, newTask, publishTasks, receiveResults, soon, startBridge } from "../testing/bridge-under-test.ts";
import { createFakeCaller, echo } from "../testing/fake-caller.ts";
import { openBridge } from "../testing/open-bridge.ts";
import type { BridgeDeps } from "./create-bridge.ts";

test("N5: agents that answer while the database is away are asked once, and their results come when it is back", async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const gate = Promise.withResolvers<void>();
  const { caller, calls } = createFakeCaller(async (call) => {
    await gate.promise;
    return echo(call);
  });
  const agents = [agentNamed("A", { max_concurrency: 50 })];
  const { bus, bridge, toldOf } = await startBridge(server.url, { agents, caller });
  const results = await receiveResults(bus);
  await publishTasks(
    bus,
    Array.from({ length: 20 }, (_, index) => newTask(`t${index}`)),
  );
  await expect.poll(() => calls.length, soon).toBe(20);
  await server.kill();
  gate.resolve();
  await expect.poll(() => toldOf("storeFailed").length, soon).toBeGreaterThan(0);
  expect(await bridge.readings().catch(isTransient)).toBe(true);
  await server.start();
  await results.until(20);
  expect(calls).toHaveLength(20);
  expect(results.all.every(({ value }) => value.status === "SUCCESS")).toBe(true);
  await publishTasks(bus, [newTask("after")]);
  await results.until(21);
}, 120_000);

test("R3.5, R7.4: a result that the bus does not take is a FAILURE that says so; those that end beside it are not touched", async () => {
  const { caller } = createFakeCaller((call) => {
    if (call.task.task_id !== "odd") return echo(call);
    // No JSON-RPC code is half a number, and no message of the contract has one.
    const failure = new AgentFailure("rpc_error", "odd", { code: 0.5 });
    return { output: null, failure, attempts: 1 };
  });
  const { bus, toldOf } = await startBridge(await newSqliteDatabase(), { agents: [agentNamed("A")], caller });
  const results = await receiveResults(bus);
  await publishTasks(bus, [newTask("odd"), newTask("even")]);
  await results.until(2);
  expect(results.of("even")).toMatchObject([{ status: "SUCCESS" }]);
  expect(results.of("odd")).toMatchObject([
    { status: "FAILURE", error: { kind: "internal" }, error_message: "The agent's result could not be stored." },
  ]);
  expect(toldOf("resultRefused")).toMatchObject([
    [{ task_id: "odd" }, { attempts: 1, durationMs: expect.any(Number) as number, failure: { kind: "internal" } }],
  ]);
  expect(toldOf("storeFailed")).toMatchObject([["end", { message: expect.stringContaining("/error/code") as string }]]);
});

test("a bridge that gets only one of its channels rejects, and leaves nothing open", async () => {
  const closed: string[] = [];
  const refusing = ({ kind, outbox, subscribe }: MessageBus): BridgeDeps["bus"] => ({
    kind,
    outbox,
    subscribe: async (channel, options) => {
      if (channel === "agent_tasks") throw new Error("no such topic");
      const { close } = await subscribe(channel, options);
      return { close: (graceMs) => close(graceMs).finally(() => closed.push(channel)) };
    },
  });
  const { caller } = createFakeCaller();
  const opened = await openBridge(await newSqliteDatabase(), { agents: [], caller, busOf: refusing });
  onTestFinished(opened.close);
  await expect(opened.bridge.start()).rejects.toThrow("no such topic");
  expect(closed).toEqual(["agent_cancellations"]);
});

test("what ended long ago is forgotten, and is a new task when it comes again", async () => {
  const { caller } = createFakeCaller();
  const opened = await startBridge(await newSqliteDatabase(), {
    agents: [agentNamed("A")],
    caller,
    limits: { retentionMs: 0 },
  });
  const { bus, bridge, database } = opened;
  const results = await receiveResults(bus);
  await publishTasks(bus, [newTask("t1")]);
  await results.until(1);
  await expect.poll(() => bridge.purge.purge(10), soon).toBe(1);
  expect(await bridge.purge.purge(10)).toBe(0);
  expect(await database.db.selectFrom("agent_call").selectAll().execute()).toEqual([]);
  await publishTasks(bus, [newTask("t1")]);
  await expect.poll(() => results.all.length, soon).toBe(2);
});
