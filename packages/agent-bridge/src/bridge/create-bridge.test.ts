import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { AgentFailure } from "../agent-failure.ts";
import type { StreamedTask } from "./call-run.ts";
import {
  agentNamed,
  newTask,
  publishTasks,
  putMessage,
  receiveResults,
  soon,
  startBridge,
} from "../testing/bridge-under-test.ts";
import { createFakeCaller, echo, never } from "../testing/fake-caller.ts";

onBothEngines("the bridge", (newDatabase) => {
  test("R3.2, R3.4: a task becomes a call, and its answer a result with the ids and headers of the task", async () => {
    const { caller, calls } = createFakeCaller();
    const { bus, bridge } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    const results = await receiveResults(bus);
    const headers = { "data-owner": "team", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };
    const input_data = { text: "ü \u0000 \ud800 𝄞", list: [1, null] };
    await publishTasks(bus, [newTask("t1", { input_data })], headers);
    await results.until(1);
    expect(results.all).toEqual([
      {
        headers,
        value: {
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
      },
    ]);
    expect(calls).toMatchObject([{ task: { task_id: "t1" }, options: { traceparent: headers.traceparent } }]);
    expect(await bridge.readings()).toEqual({ open: 0, waiting: 0, oldestWaitingMs: 0, running: 0 });
  });

  test("the artifacts that a call reports are passed on with the ids of its task", async () => {
    const { caller } = createFakeCaller((call) => {
      call.options.onArtifacts?.([call.task.task_id]);
      return echo(call);
    });
    const reported: unknown[] = [];
    const onArtifacts = ({ run_id, task_id }: StreamedTask, artifacts: readonly unknown[]): void =>
      void reported.push({ run_id, task_id, artifacts });
    const { bus } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller, onArtifacts });
    const results = await receiveResults(bus);
    await publishTasks(bus, [newTask("t1")]);
    await results.until(1);
    expect(reported).toEqual([{ run_id: "r1", task_id: "t1", artifacts: ["t1"] }]);
  });

  test("R3.3, R3.5: a failure of the agent is a FAILURE with its kind and words and no output, and so is a caller that breaks", async () => {
    const { caller } = createFakeCaller(({ task }) => {
      if (task.task_id === "broken") throw new TypeError("secret-looking words");
      const failure = new AgentFailure("rpc_error", "it said no", { code: -32602, data: { at: "/text" } });
      return { output: { half: 1 }, failure, attempts: 2 };
    });
    const { bus, toldOf } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    const results = await receiveResults(bus);
    await publishTasks(bus, [newTask("refused"), newTask("broken")]);
    await results.until(2);
    expect(results.of("refused")).toMatchObject([
      {
        status: "FAILURE",
        output_data: null,
        error_message: "it said no",
        attempts: 2,
        error: { kind: "rpc_error", code: -32602, data: { at: "/text" }, retryable: false },
      },
    ]);
    expect(results.of("broken")).toMatchObject([{ status: "FAILURE", error: { kind: "internal" } }]);
    expect(JSON.stringify(results.all)).not.toContain("secret-looking");
    const causes = toldOf("taskEnded").map(([, end]) => (end as { failure: AgentFailure }).failure.cause);
    expect(causes.filter((cause) => cause instanceof TypeError)).toHaveLength(1);
  });

  test("D2: who asks for an agent that is not there or is switched off is told so, without a call", async () => {
    const { caller, calls } = createFakeCaller();
    const agents = [agentNamed("off", { enabled: false })];
    const { bus } = await startBridge(await newDatabase(), { agents, caller });
    const results = await receiveResults(bus);
    await publishTasks(bus, [
      newTask("1", { agent_name: "nobody & co" }),
      newTask("2", { agent_name: "off" }),
      newTask("3", { agent_name: "half \ud800 of it" }),
    ]);
    await results.until(3);
    expect(results.of("1")).toMatchObject([
      { error: { kind: "unknown_agent" }, error_message: 'No agent has the name "nobody & co".' },
    ]);
    expect(results.of("2")).toMatchObject([{ error: { kind: "agent_disabled" } }]);
    expect(results.of("3")).toMatchObject([{ error: { kind: "unknown_agent" } }]);
    expect(calls).toEqual([]);
  });

  test("Z7: a task past its deadline ends, begun or not, whatever the caller does", async () => {
    const { caller, calls } = createFakeCaller(never);
    const { bus } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    const results = await receiveResults(bus);
    const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
    await publishTasks(bus, [
      newTask("late", { deadline: inMs(-60_000) }),
      // Without an offset it is UTC.
      newTask("no offset", { deadline: inMs(-1_000).replace("Z", "") }),
      newTask("soon", { deadline: inMs(1_000) }),
      newTask("far", { deadline: "9999-12-31T23:59:60Z" }),
    ]);
    await results.until(3);
    for (const id of ["late", "no offset", "soon"])
      expect(results.of(id)).toMatchObject([{ status: "FAILURE", error: { kind: "deadline_exceeded" } }]);
    expect(calls.map(({ task }) => task.task_id).toSorted()).toEqual(["far", "soon"]);
    const far = calls.find(({ task }) => task.task_id === "far");
    expect((far?.options.deadlineAt ?? 0) - Date.now()).toBeGreaterThan(6 * 24 * 3_600_000);
  });

  test("N5: a task that comes again, while it runs or after its end, is done once; after the end its result comes again", async () => {
    const gate = Promise.withResolvers<void>();
    const { caller, calls } = createFakeCaller(async () => {
      await gate.promise;
      return { output: calls.length, failure: undefined, attempts: 1 };
    });
    const { bus, toldOf } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    const results = await receiveResults(bus);
    await publishTasks(bus, [newTask("t1"), newTask("t1")]);
    await expect.poll(() => toldOf("taskStored").length, soon).toBe(2);
    expect(toldOf("taskStored").map(([, how]) => how)).toEqual([{ isNew: true }, { isNew: false }]);
    gate.resolve();
    await results.until(1);
    await publishTasks(bus, [newTask("t1"), newTask("t1", { run_id: "another run" })]);
    await expect.poll(() => results.all.length, soon).toBe(3);
    expect(calls).toHaveLength(2);
    const [first, ...more] = results.of("t1");
    expect(more.find(({ run_id }) => run_id === "r1")).toEqual(first);
  });

  test("B8, N5: a task that nobody can read is a FAILURE when its ids can be, once; the next ones are done", async () => {
    const { caller, calls } = createFakeCaller();
    const { bus, database, toldOf } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    const results = await receiveResults(bus);
    const half = JSON.stringify({ run_id: "r1", task_id: "half", agent_name: 7 });
    // A character of an id may be two units of UTF-16.
    const longest = JSON.stringify({ run_id: "r1", task_id: "🙂".repeat(255) });
    const tooLong = JSON.stringify({ run_id: "r1", task_id: "🙂".repeat(256) });
    for (const value of ["{", '"text"', JSON.stringify({ run_id: "", task_id: "x" }), half, half, longest, tooLong])
      await putMessage(database, "agent_tasks", value);
    await expect.poll(() => toldOf("messageRefused").length, soon).toBe(7);
    // The task of these ids has ended, whoever sends a better one now.
    await publishTasks(bus, [newTask("half"), newTask("next")]);
    await results.until(3);
    expect(results.of("next")).toMatchObject([{ status: "SUCCESS" }]);
    expect(results.of("🙂".repeat(255))).toMatchObject([{ status: "FAILURE" }]);
    expect(results.of("half")[0]).toMatchObject({
      run_id: "r1",
      correlation_id: "half",
      status: "FAILURE",
      error: { kind: "invalid_task" },
      error_message: expect.stringContaining("/agent_name") as string,
    });
    expect(calls.map(({ task }) => task.task_id)).toEqual(["next"]);
    expect(toldOf("taskRefused")).toHaveLength(2);
  });
});
