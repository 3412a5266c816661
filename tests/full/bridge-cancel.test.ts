import { startDevAgents } from "@crosszone/dev-agents";
import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { askAgent, startCluster } from "../harness/start-cluster.ts";
import type { TaskProcess } from "../harness/start-task-process.ts";
import { tune } from "@crosszone/testkit/tune";

const soon = { timeout: 90_000, interval: 5 };
/** Longer than any timeout, so that only a cancellation ends a call without an answer. */
const timeout_ms = 240_000;
/** No process dies here, and a busy machine must not make another one take over. */
const env = tune({ TASK_LEASE_MS: 60_000 });

/** Returns the state of a task. */
const endOf = (rpc: TaskProcess, task: string): Promise<unknown> =>
  rpc.result(task).then(
    ({ status }) => status,
    ({ data }: { data: { kind: string } }) => data.kind,
  );

describe.skipIf(!(await kafkaIsHere()))("tasks of several processes", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("N5, B12: a task that one process cancels is aborted at the agent by another within a second, and stays canceled", async () => {
    const dev = await startDevAgents({ taskMs: 600_000 });
    onTestFinished(() => dev.close());
    const agents = [
      { name: "late", url: `${dev.url}/proofreader?fault=hang`, timeout_ms },
      { name: "followed", url: `${dev.url}/keywords` },
    ];
    const cluster = await startCluster({ kafka, agents, env });
    const [rpc, other] = await Promise.all([
      cluster.startRpc(),
      cluster.startRpc(),
      cluster.startBridge(),
      cluster.startBridge(),
    ]);
    const [late, followed] = [dev.control("proofreader"), dev.control("keywords")];
    const took: number[] = [];
    const tasks: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      tasks.push(await askAgent(rpc, "late", "hello"));
      await vi.waitFor(() => expect(late.asked).toHaveLength(round + 1), soon);
      const startedAt = performance.now();
      expect(await other.call("cancel_task", { task_id: tasks[round] })).toMatchObject({ status: "canceled" });
      await vi.waitFor(() => expect(late.asked[round]).toMatchObject({ left: true }), soon);
      took.push(performance.now() - startedAt);
    }
    // On a busy machine some may take longer, but all only if something waits that long.
    expect(Math.min(...took)).toBeLessThan(1_000);
    process.stderr.write(
      `aborted at the agent after ${took
        .map(Math.round)
        .toSorted((a, b) => a - b)
        .join(", ")} ms\n`,
    );

    const task = await askAgent(rpc, "followed", "hello");
    tasks.push(task);
    await vi.waitFor(() => expect(followed.asked.length).toBeGreaterThan(1), soon);
    await other.call("cancel_task", { task_id: task });
    // An open poll may arrive after the cancellation, on another connection.
    const lastTwo = (): unknown[] => followed.asked.slice(-2).map(({ body }) => (body as { method: string }).method);
    await vi.waitFor(() => expect(lastTwo()).toContain("tasks/cancel"), soon);

    for (const canceled of tasks) expect(await endOf(rpc, canceled)).toBe("canceled");
    await cluster.quiet();
    const results = await cluster.executor.results();
    expect(results.map(({ task_id }) => task_id).toSorted()).toEqual(tasks.toSorted());
    for (const result of results) expect(result).toMatchObject({ status: "FAILURE", error: { kind: "canceled" } });
    expect(late.asked).toHaveLength(8);
  });

  test("N5, B12: a cancellation at one process reaches the process that runs the call", async () => {
    const answers = Promise.withResolvers<string>();
    const agent = await startHttpAgent(() => answers.promise);
    const cluster = await startCluster({
      kafka,
      agents: [{ name: "A", url: agent.url, max_concurrency: 8, timeout_ms }],
      env,
    });
    await Promise.all([cluster.startBridge(), cluster.startBridge()]);
    const { executor } = cluster;
    const ids = Array.from({ length: 16 }, (_, n) => ({ run_id: "r", task_id: `t${n}`, correlation_id: "c" }));
    // All in one partition, so that one process consumes them. More than it may run at once.
    for (const task of ids)
      await executor.send(JSON.stringify({ ...task, agent_name: "A", input_data: "hello" }), "one key");
    await vi.waitFor(() => expect(agent.requests).toHaveLength(16), soon);
    const timestamp = "2025-03-04T05:06:07.123456";
    for (const task of ids) await executor.cancel(JSON.stringify({ ...task, timestamp }), "one key");
    await vi.waitFor(() => expect(agent.requests.filter(({ left }) => left)).toHaveLength(16), soon);
    answers.resolve("too late");
    await cluster.quiet();
    const results = await executor.results();
    expect(results.map(({ task_id, error }) => `${task_id} ${error?.kind}`).toSorted()).toEqual(
      ids.map(({ task_id }) => `${task_id} canceled`).toSorted(),
    );
    expect(agent.requests).toHaveLength(16);
  });

  test("N5, B12: if a cancellation and an answer meet, the same one wins everywhere, permanently", async () => {
    const answers = Promise.withResolvers<string>();
    const agent = await startHttpAgent(() => answers.promise);
    const cluster = await startCluster({ kafka, agents: [{ name: "A", url: agent.url, max_concurrency: 100 }], env });
    const [rpc, other] = await Promise.all([
      cluster.startRpc(),
      cluster.startRpc(),
      cluster.startBridge(),
      cluster.startBridge(),
    ]);
    const tasks = await Promise.all(Array.from({ length: 60 }, (_, n) => askAgent(rpc, "A", `question ${n}`)));
    await vi.waitFor(() => expect(agent.requests).toHaveLength(60), soon);
    const canceling = tasks.slice(0, 40).map((task) => other.call("cancel_task", { task_id: task }));
    await Promise.race(canceling);
    answers.resolve("answered");
    const said = await Promise.allSettled(canceling);
    const ends = await Promise.all(tasks.map((task) => endOf(rpc, task)));
    const canceled = said.map(({ status }) => status === "fulfilled");
    // A caller of a canceled task never gets an answer; a caller of an ended task has it already.
    expect(ends.slice(0, 40)).toEqual(canceled.map((yes) => (yes ? "canceled" : "success")));
    expect(ends.slice(40)).toEqual(Array.from({ length: 20 }, () => "success"));
    expect(canceled).toContain(true);

    await cluster.quiet();
    const results = await cluster.executor.results();
    expect(results.map(({ task_id }) => task_id).toSorted()).toEqual(tasks.toSorted());
    const answered = new Set(results.flatMap(({ task_id, status }) => (status === "SUCCESS" ? [task_id] : [])));
    expect(tasks.filter((task, n) => ends[n] === "success" && !answered.has(task))).toEqual([]);
    expect(await Promise.all(tasks.map((task) => endOf(other, task)))).toEqual(ends);
    expect(agent.requests).toHaveLength(60);
  });

  test("N5, B2, B3, B4: an agent that never answers delays no other, however many of its tasks come first", async () => {
    const answers = Promise.withResolvers<string>();
    const [slow, quick] = [
      await startHttpAgent(() => answers.promise),
      await startHttpAgent((text) => text.toUpperCase()),
    ];
    const agents = [
      { name: "slow", url: slow.url, max_concurrency: 10, timeout_ms },
      { name: "quick", url: quick.url },
    ];
    const cluster = await startCluster({ kafka, agents, env: { ...env, MAX_AGENT_CALLS: "40" } });
    const [rpc] = await Promise.all([cluster.startRpc(), cluster.startBridge(), cluster.startBridge()]);
    const waiting = await Promise.all(Array.from({ length: 200 }, (_, n) => askAgent(rpc, "slow", `slow ${n}`)));
    // Both processes have their maximum.
    await vi.waitFor(() => expect(slow.requests).toHaveLength(20), soon);
    const asked = await Promise.all(Array.from({ length: 50 }, (_, n) => askAgent(rpc, "quick", `quick ${n}`)));
    for (const [n, task] of asked.entries())
      expect(await rpc.result(task)).toMatchObject({ response_text: `QUICK ${n}` });
    expect(slow.requests).toHaveLength(20);

    answers.resolve("at last");
    for (const task of waiting) expect(await rpc.result(task)).toMatchObject({ response_text: "at last" });
    await cluster.quiet();
    const results = await cluster.executor.results();
    expect(results.map(({ task_id }) => task_id).toSorted()).toEqual([...waiting, ...asked].toSorted());
    expect([slow.requests.length, quick.requests.length]).toEqual([200, 50]);
  });
});
