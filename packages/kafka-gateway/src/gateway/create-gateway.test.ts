// suite: both
import type { AgentResult } from "@crosszone/contracts";
import { createJobEvents, reapJobs } from "@crosszone/jobs";
import { createRecordCodec, type RecordCodec } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryTopics } from "../testing/memory-bus.ts";
import { jobsOf, newAgentTask, openProcess, type ProcessOptions } from "../testing/open-process.ts";

const headers = { "data-owner": "team", "reply-to": "execution", traceparent: "00-1-2-01" };
const ofAgent = "agent_call agent";
/** The share of a call whose task has not arrived. */
const ofNone = "agent_call";

onBothEngines("a gateway", (newDatabase, engine) => {
  const setUp = async () => {
    const topics = createMemoryTopics();
    const url = await newDatabase();
    const start = (options: Partial<ProcessOptions> = {}) => openProcess({ url, bus: topics.newBus(), ...options });
    const published = (channel: string) => topics.published.filter((message) => message.channel === channel);
    return { topics, start, published };
  };

  test("in one database a bridge takes over the row of the call, which ends once", async () => {
    const { start, published } = await setUp();
    const process = await start();
    await Promise.all(Array.from({ length: 20 }, (_, at) => process.call(newAgentTask(`t${at}`))));
    await expect.poll(() => process.begun.length).toBe(20);
    expect((await jobsOf(process)).every(([share, state]) => share === ofAgent && state === 1)).toBe(true);
    expect(await Promise.all(process.begun.map(({ end }) => end({ text: "done" })))).toEqual(Array(20).fill(true));
    await expect.poll(() => process.results.length).toBe(20);
    await expect.poll(async () => (await jobsOf(process)).filter(([, state]) => state === 4).length).toBe(20);
    expect(published("agent_results")).toHaveLength(20);
    const output = await process.store.find(process.begun[0]?.leaseId.id ?? "");
    await process.begun[0]?.end({ text: "again" });
    expect(await process.store.find(process.begun[0]?.leaseId.id ?? "")).toEqual(output);
  });

  test("N5: a task that is delivered again is done once; after its end its result is published again", async () => {
    const { topics, start, published } = await setUp();
    const process = await start({ roles: ["bridge"] });
    const message = { channel: "agent_tasks", value: newAgentTask("t1"), headers } as const;
    await Promise.all([1, 2, 3].map(() => topics.redeliver(message)));
    expect(process.begun).toHaveLength(1);
    await process.begun[0]?.end("once");
    await expect.poll(() => jobsOf(process)).toEqual([[ofAgent, 4, "succeeded"]]);
    void topics.redeliver(message);
    await expect.poll(() => published("agent_results").length).toBe(2);
    const [first, second] = published("agent_results");
    expect(second).toEqual(first);
    expect(process.begun).toHaveLength(1);
  });

  test("N5: another process publishes the messages of a process that crashed", async () => {
    const { topics, start, published } = await setUp();
    const dying = await start({ roles: ["bridge"] });
    void topics.redeliver({ channel: "agent_tasks", value: newAgentTask("t1"), headers });
    await expect.poll(() => dying.begun.length).toBe(1);
    topics.isAway = true;
    expect(await dying.begun[0]?.end("kept")).toBe(true);
    await dying.call(newAgentTask("t2"), headers);
    await dying.crash();
    const other = await start({ roles: ["rpc"] });
    await reapJobs(other.database);
    topics.isAway = false;
    await expect.poll(() => published("agent_results").length).toBeGreaterThan(0);
    expect(published("agent_results")[0]).toMatchObject({ value: { task_id: "t1", output_data: "kept" }, headers });
    await expect.poll(() => published("agent_tasks").length).toBeGreaterThan(0);
    expect(published("agent_tasks")[0]).toEqual({ channel: "agent_tasks", value: newAgentTask("t2"), headers });
    await expect.poll(async () => (await jobsOf(other))[0]).toEqual([ofAgent, 4, "succeeded"]);
  });

  test("what waits for the broker is published in order, with few requests, and then forgotten", async () => {
    const { topics, start, published } = await setUp();
    const process = await start({ roles: ["rpc"] });
    topics.isAway = true;
    const names = Array.from({ length: 30 }, (_, at) => `t${at}`);
    for (const name of names) await process.call(newAgentTask(name));
    topics.isAway = false;
    await expect.poll(() => published("agent_tasks").length).toBe(30);
    expect(published("agent_tasks").map(({ value }) => value.task_id)).toEqual(names);
    // One begins while the last calls are stored.
    expect(topics.requests.length).toBeLessThanOrEqual(2);
    await expect.poll(() => process.database.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("a cancel request is published with the headers of its task, and its job is deleted with it", async () => {
    const { start, published } = await setUp();
    const process = await start({ roles: ["rpc"] });
    const task = newAgentTask("t1");
    await process.call(task, headers);
    await process.gateway.intake.cancel(task, "timeout");
    await expect
      .poll(() => published("agent_cancellations"))
      .toMatchObject([{ value: { reason: "timeout" }, headers }]);
    await expect.poll(() => jobsOf(process)).toEqual([[ofAgent, 3, null]]);
    await process.gateway.intake.cancel(newAgentTask("never stored"), "timeout");
    expect(published("agent_cancellations")).toHaveLength(1);
  });

  test("R3.5: a canceled call ends wherever it runs: its result is published once, and its own end is discarded", async () => {
    const { start, published } = await setUp();
    const process = await start();
    const task = newAgentTask("t1");
    await process.call(task, headers);
    await expect.poll(() => process.begun.length).toBe(1);
    await process.gateway.intake.cancel(task, "enough");
    await expect.poll(() => process.dropped.length).toBe(1);
    expect(await process.begun[0]?.end("late")).toBe(false);
    await expect.poll(() => process.results).toMatchObject([{ status: "FAILURE", error: { kind: "canceled" } }]);
    await expect.poll(() => jobsOf(process)).toEqual([[ofAgent, 4, "canceled"]]);
    expect(published("agent_results")).toMatchObject([{ value: { task_id: "t1" }, headers }]);
  });

  test("R3.5: a canceled call's own end changes nothing while its result waits for the broker", async () => {
    const { topics, start, published } = await setUp();
    const process = await start({ roles: ["bridge"] });
    const { run_id, task_id, correlation_id } = newAgentTask("t1");
    void topics.redeliver({ channel: "agent_tasks", value: newAgentTask("t1"), headers });
    await expect.poll(() => process.begun.length).toBe(1);
    topics.isAway = true;
    const value = { run_id, task_id, correlation_id, timestamp: "2026-01-01T00:00:00Z" };
    void topics.redeliver({ channel: "agent_cancellations", value, headers });
    await expect.poll(() => process.dropped.length).toBe(1);
    expect(await process.begun[0]?.end("late")).toBe(false);
    topics.isAway = false;
    await expect.poll(() => jobsOf(process)).toEqual([[ofAgent, 4, "canceled"]]);
    await expect.poll(() => published("agent_results")).toMatchObject([{ value: { error: { kind: "canceled" } } }]);
  });

  test("R3.5: a call that its run ended is canceled at the bridge too, in this database or another", async () => {
    const { start, published } = await setUp();
    const process = await start();
    const elsewhere = await start({ url: await newDatabase(), roles: ["rpc"] });
    for (const [caller, id] of [
      [process, "t1"],
      [elsewhere, "t2"],
    ] as const) {
      const task = newAgentTask(id);
      await caller.call(task, { "reply-to": "workflow" });
      await expect.poll(() => process.begun.map((call) => call.task.task_id)).toContain(id);
      await caller.database.db.updateTable("job").set({ state: 4, outcome: "canceled", owner: null }).execute();
      await caller.gateway.intake.cancel(task, "The run no longer needs it.");
      await expect.poll(() => process.dropped.length).toBe(id === "t1" ? 1 : 2);
    }
    const value = { status: "FAILURE", error: { kind: "canceled" } };
    await expect.poll(() => published("agent_results")).toMatchObject([{ value }, { value }]);
    expect(await Promise.all(process.begun.map(({ end }) => end("late")))).toEqual([false, false]);
  });

  test("R3.5: a cancel request that arrives before its task prevents its start", async () => {
    const { topics, start, published } = await setUp();
    const process = await start({ roles: ["bridge"] });
    const { run_id, task_id, correlation_id } = newAgentTask("t1");
    const value = { run_id, task_id, correlation_id, timestamp: "2026-01-01T00:00:00Z" };
    void topics.redeliver({ channel: "agent_cancellations", value, headers });
    await expect.poll(() => jobsOf(process)).toEqual([[ofNone, 4, "canceled"]]);
    void topics.redeliver({ channel: "agent_tasks", value: newAgentTask("t1"), headers });
    await expect.poll(() => published("agent_results").length).toBe(2);
    expect(process.begun).toEqual([]);
  });

  test("R3.5: a message that no topic accepts fails its task, and stays in the database", async () => {
    const { topics, start } = await setUp();
    const process = await start();
    topics.mostSize = 2_000;
    await process.call(newAgentTask("t1", { input_data: "x".repeat(3_000) }));
    await expect.poll(() => process.results).toMatchObject([{ task_id: "t1", error: { kind: "invalid_task" } }]);
    await process.call(newAgentTask("t2"));
    await expect.poll(() => process.begun.length).toBe(1);
    await process.begun[0]?.end("y".repeat(3_000));
    await expect.poll(() => process.results[1]).toMatchObject({ task_id: "t2", error: { kind: "response_too_large" } });
    const letters = process.database.db.selectFrom("bus_dead_letter").select(["channel", "reason"]).orderBy("id");
    const reason: unknown = expect.stringMatching(/max\.message\.bytes/);
    await expect
      .poll(() => letters.execute())
      .toEqual([
        { channel: "agent_tasks", reason },
        { channel: "agent_results", reason },
      ]);
    await expect
      .poll(() => jobsOf(process))
      .toEqual([
        [ofAgent, 4, "failed"],
        [ofAgent, 4, "succeeded"],
      ]);
  });

  test("B8: an invalid task message with a task id fails that task", async () => {
    const { topics, start, published } = await setUp();
    const process = await start({ roles: ["bridge"] });
    await topics.refuse({ run_id: "r1", task_id: "t1", agent_name: 7 }, "/agent_name must be string");
    await topics.refuse({ agent_name: 7 }, "no ids");
    await expect.poll(() => jobsOf(process)).toEqual([[ofNone, 4, "failed"]]);
    const value = { run_id: "r1", task_id: "t1", error: { kind: "invalid_task" } };
    // The result leaves after the commit that ends the job.
    await expect.poll(() => published("agent_results")).toMatchObject([{ value }]);
    void topics.redeliver({ channel: "agent_tasks", value: newAgentTask("t1", { run_id: "r1" }) });
    await expect.poll(() => published("agent_results").length).toBe(2);
    expect(process.begun).toEqual([]);
  });

  test("B8: a message whose numbers would change fails its task, at the bridge and at each caller", async () => {
    const { topics, start, published } = await setUp();
    const process = await start({ roles: ["bridge"] });
    const reason = "the message can't be kept as sent: /input_data/id is -0";
    await topics.refuse(newAgentTask("t1"), reason, { changed: true });
    await expect
      .poll(() => published("agent_results"))
      .toMatchObject([{ value: { task_id: "t1", error: { kind: "invalid_task" } } }]);
    expect(process.begun).toEqual([]);

    const taken: unknown[] = [];
    const take = (result: AgentResult): number => taken.push(result);
    await process.gateway.start({
      onTaskResult: (result) => take(result) > 0,
      enterResult: (result) => void take(result),
    });
    taken.length = 0;
    const letter = { channel: "agent_results", changed: true } as const;
    for (const task_id of ["r2", "r2.a"])
      await topics.refuse({ run_id: "r2", task_id, status: "SUCCESS" }, reason, letter);
    await topics.refuse({ run_id: "r2", task_id: "r2" }, "not a message", { channel: "agent_results" });
    const error = { kind: "invalid_response", message: expect.stringContaining("/input_data/id is -0") };
    const failed = (task_id: string) => ({ run_id: "r2", task_id, status: "FAILURE", output_data: null, error });
    // Each group gets all results; a task's call has the task's id twice.
    expect(taken).toMatchObject([failed("r2"), failed("r2"), failed("r2.a")]);
  });

  test("a message that no key decrypts fails its task too", async () => {
    const { topics, start } = await setUp();
    const dying = await start({ roles: ["rpc"] });
    topics.isAway = true;
    await dying.call(newAgentTask("t1"));
    await dying.crash();
    const codec: RecordCodec = {
      ...createRecordCodec(undefined),
      fromColumn: (text, context) => {
        if (context.startsWith("bus message agent_tasks")) throw new Error("no key");
        return createRecordCodec(undefined).fromColumn(text, context);
      },
    };
    const other = await start({ roles: ["rpc"], codec });
    await reapJobs(other.database);
    await dying.gateway.close(0);
    topics.isAway = false;
    await expect
      .poll(() => other.results)
      .toContainEqual(expect.objectContaining({ task_id: "t1", status: "FAILURE" }));
  });

  test("a task that waits in another process gets its result through the database", async () => {
    const { topics, start } = await setUp();
    const process = await start({ roles: ["bridge"] });
    const told: (string | undefined)[] = [];
    const events = createJobEvents((await start({ roles: [] })).database);
    events.onEnded((id) => told.push(id));
    await events.start();
    onTestFinished(() => events.stop());
    told.length = 0;
    await process.gateway.start({ onTaskResult: () => false });
    const task = newAgentTask("t1");
    await process.call(task);
    await expect.poll(() => process.begun.length).toBe(1);
    await process.begun[0]?.end("done");
    await expect.poll(() => jobsOf(process)).toEqual([[ofAgent, 4, "succeeded"]]);
    const id = process.begun[0]?.leaseId.id;
    await expect.poll(() => told).toContainEqual(engine === "postgres" ? id : undefined);
    await expect.poll(() => topics.published).toHaveLength(2);
  });
});
