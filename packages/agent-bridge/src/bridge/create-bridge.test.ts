// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import {
  agentNamed,
  enterCall,
  enterTasks,
  newTask,
  soon,
  startBridge,
  storedResults,
} from "../testing/open-bridge.ts";
import { createFakeCaller, echo, never } from "../testing/start-call.ts";
import { AgentSlots } from "./create-bridge.ts";

onBothEngines("the bridge", (newDatabase) => {
  test("R3.2, R3.4: a call's answer becomes a result with the ids and headers of its task", async () => {
    const { caller, calls } = createFakeCaller();
    const opened = await startBridge(await newDatabase(), { caller });
    const headers = { "data-owner": "team", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };
    const input_data = { text: "ü \u0000 \ud800 𝄞", list: [1, null] };
    const task = newTask("t1", { input_data });
    await enterCall(opened, { task, headers, deadlineMs: 60_000, parent: "whoever waits" });
    const results = await storedResults(opened).until([task]);
    expect(results).toEqual([
      {
        run_id: "r1",
        task_id: "t1",
        correlation_id: "c1",
        status: "SUCCESS",
        output_data: { text: "done", echo: input_data },
        error_message: null,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        attempts: 1,
        duration_ms: expect.any(Number) as number,
      },
    ]);
    // It is handed on once it is on disk; others can read it before.
    await expect.poll(() => opened.given, soon).toEqual([{ value: results[0], headers, parent: "whoever waits" }]);
    expect(calls).toMatchObject([{ task: { task_id: "t1" }, options: { traceparent: headers.traceparent } }]);
    expect(await opened.bridge.readings()).toEqual({ open: 0, waiting: 0, oldestWaitingMs: 0, running: 0 });
    const row = opened.database.db.selectFrom("job").selectAll();
    expect(await row.executeTakeFirstOrThrow()).toMatchObject({
      outcome: "succeeded",
      input: null,
      team: "team",
      agent_attempts: 1,
    });
  });

  test("X1: a call kept the room of its large answer after its end was stored", async () => {
    const { caller } = createFakeCaller(async ({ options }) => {
      expect(await options.held?.take(10_000_000)).toBe(true);
      return { output: "large", failure: undefined, attempts: 1 };
    });
    const opened = await startBridge(await newDatabase(), { caller });
    // Two of them have no room at once.
    const tasks = ["1", "2", "3", "4", "5"].map((id) => newTask(id));
    await enterTasks(opened, tasks);
    const results = await storedResults(opened).until(tasks);
    expect(results.map(({ status }) => status)).toEqual(tasks.map(() => "SUCCESS"));
  });

  test("R3.3, R3.5: an agent's failure and a caller's exception become a FAILURE with kind and message, without output", async () => {
    const { caller } = createFakeCaller(({ task }) => {
      if (task.task_id === "broken") throw new TypeError("secret-looking words");
      const failure = new AgentFailure("rpc_error", "it said no", { code: -32602, data: { at: "/text" } });
      return { output: { half: 1 }, failure, attempts: 2 };
    });
    const opened = await startBridge(await newDatabase(), { caller });
    const results = storedResults(opened);
    const tasks = [newTask("refused"), newTask("broken")];
    await enterTasks(opened, tasks);
    const all = await results.until(tasks);
    expect(await results.of("refused")).toMatchObject({
      status: "FAILURE",
      output_data: null,
      error_message: "it said no",
      attempts: 2,
      error: { kind: "rpc_error", code: -32602, data: { at: "/text" }, retryable: false },
    });
    expect(await results.of("broken")).toMatchObject({ status: "FAILURE", error: { kind: "internal" } });
    expect(JSON.stringify(all)).not.toContain("secret-looking");
    await expect.poll(() => opened.eventsOf("bridge_call_ended").length, soon).toBe(2);
    const causes = opened.eventsOf("bridge_call_ended").map(({ cause }) => cause);
    expect(causes.filter((cause) => cause instanceof TypeError)).toHaveLength(1);
  });

  test("D2: a task for an unknown or disabled agent fails with a clear message, without a call", async () => {
    const { caller, calls } = createFakeCaller();
    const agents = [agentNamed("off", { enabled: false })];
    // Neither needs a slot.
    const opened = await startBridge(await newDatabase(), { agents, caller, maxRunning: 1 });
    const results = storedResults(opened);
    const tasks = [
      newTask("1", { agent_name: "nobody & co" }),
      newTask("2", { agent_name: "off" }),
      newTask("3", { agent_name: "half \ud800 of it" }),
    ];
    await enterTasks(opened, tasks);
    await results.until(tasks);
    expect(await results.of("1")).toMatchObject({
      error: { kind: "unknown_agent" },
      error_message: 'No agent has the name "nobody & co".',
    });
    expect(await results.of("2")).toMatchObject({ error: { kind: "agent_disabled" } });
    expect(await results.of("3")).toMatchObject({ error: { kind: "unknown_agent" } });
    expect(calls).toEqual([]);
  });

  test("Z7: a task past its deadline ends, started or not, whatever the caller does", async () => {
    const { caller, calls } = createFakeCaller(never);
    const opened = await startBridge(await newDatabase(), { caller });
    const results = storedResults(opened);
    const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const late = [
      newTask("late", { deadline: inMs(-60_000) }),
      // Without an offset it is UTC.
      newTask("no offset", { deadline: inMs(-1_000).replace("Z", "") }),
      newTask("soon", { deadline: inMs(2_000) }),
    ];
    await enterTasks(opened, [...late, newTask("far", { deadline: "9999-12-31T23:59:60Z" })]);
    for (const result of await results.until(late))
      expect(result).toMatchObject({ status: "FAILURE", error: { kind: "deadline_exceeded" } });
    expect(calls.map(({ task }) => task.task_id).toSorted()).toEqual(["far", "soon"]);
    const far = calls.find(({ task }) => task.task_id === "far");
    expect((far?.options.deadlineAt ?? 0) - Date.now()).toBeGreaterThan(6 * 24 * 3_600_000);
  });
});

const ids = { run_id: "r1", task_id: "t1", correlation_id: "c1" };
const canceled = { status: "FAILURE", output_data: null, error: { kind: "canceled", retryable: false } };

onBothEngines("canceling a call", (newDatabase) => {
  test("B12, N5: aborts the call with `canceled`, whichever process runs it, and that is its result", async () => {
    const url = await newDatabase();
    const { caller, calls } = createFakeCaller(never);
    const working = await startBridge(url, { caller });
    await enterTasks(working, [newTask("t1")]);
    await expect.poll(() => calls.length, soon).toBe(1);

    // The other process has no agents of its own.
    const idle = createFakeCaller();
    const other = await startBridge(url, { agents: [], caller: idle.caller });
    await Promise.all([working, other].map(({ intake }) => intake.cancel(ids, "Enough.")));
    expect(await storedResults(other).of("t1")).toMatchObject({
      ...canceled,
      error_message: "The task was canceled. Enough.",
    });
    const signal = calls[0]?.options.signal;
    await expect.poll(() => signal?.aborted, soon).toBe(true);
    expect(signal?.reason).toBeInstanceOf(AgentFailure);
    expect(signal?.reason).toMatchObject({ kind: "canceled" });
    await expect.poll(async () => (await working.bridge.readings()).running, soon).toBe(0);
    expect(working.eventsOf("bridge_call_lease_lost")).toMatchObject([{ task_id: "t1", because: "canceled" }]);
    expect(idle.calls).toEqual([]);
    const ends = [...working.eventsOf("bridge_call_ended"), ...other.eventsOf("bridge_call_ended")];
    expect(ends).toMatchObject([{ task_id: "t1", agent_name: "A", state: "canceled" }]);
    // The canceling caller waits for nothing more.
    expect([...working.given, ...other.given]).toEqual([]);
  });

  test("B11, B12, N5: of a hundred concurrent ends and cancels, each call has one result, and its row agrees", async () => {
    const { caller } = createFakeCaller(async (call) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      return echo(call);
    });
    const agents = [agentNamed("A", { max_concurrency: 100 })];
    const opened = await startBridge(await newDatabase(), { agents, caller });
    const tasks = Array.from({ length: 100 }, (_, index) => newTask(`t${index}`));
    await enterTasks(opened, tasks);
    await Promise.all(tasks.map((task) => opened.intake.cancel(task, "Enough.")));
    const results = await storedResults(opened).until(tasks);
    await expect.poll(async () => (await opened.bridge.readings()).running, soon).toBe(0);
    const succeeded = results.filter(({ status }) => status === "SUCCESS");
    expect(new Set(opened.given.map(({ value }) => value.task_id)).size).toBe(opened.given.length);
    expect(opened.given).toHaveLength(succeeded.length);
    const outcomes = await opened.database.db.selectFrom("job").select("outcome").execute();
    expect(outcomes.filter(({ outcome }) => outcome === "canceled")).toHaveLength(100 - succeeded.length);
    expect(opened.eventsOf("bridge_call_ended")).toHaveLength(100);
  });
});

const slow = { name: "slow", max_concurrency: 2 };
const quick = { name: "quick", max_concurrency: 10 };

test("B3: an agent that uses all of its slots takes none from another agent", () => {
  const slots = new AgentSlots(100);
  const held = [slots.take(slow), slots.take(slow)];
  expect(slots.take(slow)).toBeUndefined();
  expect(slots.free(slow)).toBe(0);
  expect(slots.take(quick)).toBeDefined();
  held[0]?.();
  // Only once.
  held[0]?.();
  expect(slots.free(slow)).toBe(1);
  expect(slots.take(slow)).toBeDefined();
});

test("an agent without tasks is forgotten, and a limit that was lowered meanwhile frees no slot", () => {
  const slots = new AgentSlots(10);
  const give = slots.take(slow);
  slots.take(slow);
  expect(slots.free({ ...slow, max_concurrency: 1 })).toBe(0);
  give?.();
  expect(slots.readings().get("slow")).toBe(1);
  slots.take(quick)?.();
  expect(slots.readings().has("quick")).toBe(false);
});
