// suite: rest
import { onBothEngines, newSqliteDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createAdapters } from "../adapters/adapters.ts";
import { CircuitBreakers } from "../calls/circuit-breakers.ts";
import { createAgentCaller } from "../calls/create-agent-caller.ts";
import type { AgentCaller } from "../calls/open-call.ts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { doneWith, resultOf } from "../testing/agent-record.ts";
import { startAgent } from "../testing/http-agents.ts";
import {
  agentNamed,
  enterTasks,
  newTask,
  soon,
  startBridge,
  storedResults,
  type OpenedBridge,
} from "../testing/open-bridge.ts";
import { clientOf, createFakeCaller, echo, never, recordingEmit } from "../testing/start-call.ts";
import { CallReleased } from "./call-run.ts";

/** Creates the app's agent caller. Closes its connections with the test. */
function realCaller(origin: string): AgentCaller {
  const client = clientOf({ origins: [origin] });
  const { emit } = recordingEmit();
  return createAgentCaller({ adapters: createAdapters(), client, breakers: new CircuitBreakers(), emit });
}

/** Makes the jobs that other processes lease ready, as if those processes had crashed. */
async function declareDead({ database }: Pick<OpenedBridge, "database">): Promise<void> {
  await database.db.deleteFrom("job_worker").execute();
}

onBothEngines("the lease of a call", (newDatabase) => {
  test("B11, N5: a call that lost its lease is aborted without a failure, and its later answer is discarded", async () => {
    const url = await newDatabase();
    const late = Promise.withResolvers<void>();
    const slow = createFakeCaller(async () => {
      if (slow.calls.length === 1) await late.promise;
      return { output: "too late", failure: undefined, attempts: 1 };
    });
    const first = await startBridge(url, { caller: slow.caller, leaseMs: 6_000 });
    await enterTasks(first, [newTask("t1")]);
    await expect.poll(() => slow.calls.length, soon).toBe(1);
    const quick = createFakeCaller();
    const other = await startBridge(url, { caller: quick.caller, leaseMs: 6_000 });
    // As if the first process had been suspended for longer than its lease.
    const before = first.lease.owner;
    await declareDead(first);
    await expect.poll(() => first.lease.owner, soon).not.toBe(before);
    await expect.poll(() => first.eventsOf("bridge_call_lease_lost").length, soon).toBe(1);
    await storedResults(first).until([newTask("t1")]);
    late.resolve();
    expect(slow.calls[0]?.options.signal.reason).toBeInstanceOf(CallReleased);
    expect(quick.calls.length + slow.calls.length).toBe(2);
    await expect.poll(() => other.given.length + first.given.length, soon).toBe(1);
    expect(other.eventsOf("bridge_call_ended").length + first.eventsOf("bridge_call_ended").length).toBe(1);
  });

  test("R2.10: the next process gets the agent's own task id, and a call that lost its lease stores none", async () => {
    const url = await newDatabase();
    const kept = Promise.withResolvers<void>();
    const polling = createFakeCaller(async ({ options }) => {
      await options.onRemoteId("theirs \u0000 7");
      kept.resolve();
      return never();
    });
    const first = await startBridge(url, { caller: polling.caller });
    await enterTasks(first, [newTask("t1")]);
    await kept.promise;
    await first.bridge.stop(0);
    expect(polling.calls[0]?.options.signal.reason).toBeInstanceOf(CallReleased);
    expect(first.eventsOf("bridge_call_lease_lost")).toMatchObject([{ task_id: "t1", because: "stopping" }]);
    await expect(polling.calls[0]?.options.onRemoteId("mine")).rejects.toBeInstanceOf(CallReleased);

    const next = createFakeCaller();
    const { eventsOf } = await startBridge(url, { caller: next.caller });
    await storedResults(first).until([newTask("t1")]);
    expect(next.calls[0]?.options.remoteId).toBe("theirs \u0000 7");
    // Released, not lost: the attempt is not counted.
    expect(eventsOf("bridge_call_leased")).toMatchObject([{ task_id: "t1", take: 1 }]);
  });
});

test("R3.5, R7.4: an invalid result is a FAILURE that explains it; calls that end at the same time are unaffected", async () => {
  const { caller } = createFakeCaller((call) => {
    if (call.task.task_id !== "odd") return echo(call);
    // Neither a JSON-RPC code nor a message of the contract can be half a number.
    const failure = new AgentFailure("rpc_error", "odd", { code: 0.5 });
    return { output: null, failure, attempts: 1 };
  });
  const opened = await startBridge(await newSqliteDatabase(), { caller });
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
  expect(eventsOf("agent_result_refused")).toMatchObject([
    { task_id: "odd", attempt: 1, duration_ms: expect.any(Number) as number, kind: "internal" },
  ]);
  expect(eventsOf("agent_store_failed")).toMatchObject([
    { operation: "end", cause: { message: expect.stringContaining("/error/code") as string } },
  ]);
});

test("N5: a call whose end cannot be stored is retried, and abandoned after its attempts", async () => {
  const { caller, calls } = createFakeCaller();
  const opened = await startBridge(await newSqliteDatabase(), { caller, leaseMs: 1_500 });
  const { db } = opened.database;
  await sql`
    create trigger refuse before update of outcome on job
    when new.attempt <= 3 begin select raise(abort, 'no ends'); end`.execute(db);
  await enterTasks(opened, [newTask("t1")]);
  const [result] = await storedResults(opened).until([newTask("t1")]);
  expect(result).toMatchObject({
    error: { kind: "internal", data: { processes_ended: 3 } },
    error_message: expect.stringContaining("3 times") as string,
  });
  expect(calls).toHaveLength(3);
  expect(opened.eventsOf("agent_result_refused")).toHaveLength(3);
});

onBothEngines("agents that share a bridge", (newDatabase) => {
  test("B3: five silent agents among fifty do not delay the others' tasks on two processes", async () => {
    const goOn = Promise.withResolvers<void>();
    const asked: string[] = [];
    const { url: agentUrl } = await startAgent(async ({ text }) => {
      const { id, task_id = id ?? "" } = JSON.parse(text) as { readonly id?: string; readonly task_id?: string };
      asked.push(task_id);
      if (isSlow(task_id)) await goOn.promise;
      const body = id === undefined ? { task_id, status: "success", output: "done" } : resultOf(doneWith("done"), id);
      return { body };
    });
    const isSlow = (taskId: string): boolean => Number(taskId.split("/")[0]) < 5;
    const agents = Array.from({ length: 50 }, (_, index) =>
      agentNamed(`agent ${index} & co`, {
        url: agentUrl,
        max_concurrency: 4,
        timeout_ms: 600_000,
        protocol: index % 2 ? "jsonrpc-2.0" : "simple-a2a",
      }),
    );
    const tasks = Array.from({ length: 1_000 }, (_, index) =>
      newTask(`${index % 50}/${index}`, { agent_name: `agent ${index % 50} & co` }),
    );
    const url = await newDatabase();
    const both: OpenedBridge[] = [];
    for (let index = 0; index < 2; index += 1)
      both.push(await startBridge(url, { agents, caller: realCaller(new URL(agentUrl).origin), maxRunning: 60 }));
    const [one] = both as [OpenedBridge];
    const given = () => both.flatMap((each) => each.given.map(({ value }) => value));
    await enterTasks(one, tasks);
    await expect.poll(() => given().length, soon).toBe(900);
    expect(given().filter(({ task_id }) => isSlow(task_id))).toEqual([]);
    // Each process gives a slow agent as much as the agent takes, and no more.
    expect(asked.filter(isSlow).length).toBeLessThanOrEqual(5 * 4 * 2);
    expect((await one.bridge.readings()).open).toBe(100);
    goOn.resolve();
    const results = await storedResults(one).until(tasks);
    expect(new Set(asked).size).toBe(1_000);
    expect(asked).toHaveLength(1_000);
    await expect.poll(() => given().length, soon).toBe(1_000);
    expect(results.every(({ status }) => status === "SUCCESS")).toBe(true);
  });
});
