import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startHttpAgent, type AgentRequest } from "../harness/start-http-agent.ts";
import { askAgent, startCluster } from "../harness/start-cluster.ts";
import type { TaskProcess } from "../harness/start-task-process.ts";

const soon = { timeout: 90_000, interval: 20 };

async function kill(zone: TaskProcess): Promise<void> {
  zone.signal("SIGKILL");
  await zone.ended;
}

/** Returns what identifies a repeated request to an agent. */
const marks = ({ id, messageId, headers }: AgentRequest): unknown[] => [id, messageId, headers["idempotency-key"]];
const marksOf = (task: string): unknown[] => [task, `msg-${task}`, `${task}/${task}`];

describe.skipIf(!(await kafkaIsHere()))("killed processes", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("N5, B5, B11: a bridge that is killed before the agent answers leaves one result; the agent gets the same request again, and its first answer changes nothing", async () => {
    const first = Promise.withResolvers<string>();
    const agent = await startHttpAgent(() => (agent.requests.length === 1 ? first.promise : "the second answer"));
    const cluster = await startCluster({ kafka, agents: [{ name: "A", url: agent.url }] });
    const [rpc, bridge] = await Promise.all([cluster.startRpc(), cluster.startBridge()]);
    const task = await askAgent(rpc, "A", "hello");
    await vi.waitFor(() => expect(agent.requests).toHaveLength(1), soon);
    await kill(bridge);
    await cluster.startBridge();
    expect(await rpc.result(task)).toMatchObject({ status: "success", response_text: "the second answer" });
    first.resolve("too late");
    expect(agent.requests.map(marks)).toEqual([marksOf(task), marksOf(task)]);
    await cluster.quiet();
    expect(await cluster.executor.results()).toMatchObject([{ task_id: task, status: "SUCCESS" }]);
    expect(await rpc.result(task)).toMatchObject({ response_text: "the second answer" });
  });

  test("N5, B11: if a bridge is killed while it polls a task, another bridge continues polling, and the agent does not get the task again", async () => {
    let isDone = false;
    const agent = await startHttpAgent(() => (isDone ? "done at last" : undefined));
    const cluster = await startCluster({ kafka, agents: [{ name: "A", url: agent.url }] });
    const [rpc, bridge] = await Promise.all([cluster.startRpc(), cluster.startBridge()]);
    const task = await askAgent(rpc, "A", "a long task");
    const polls = (): readonly AgentRequest[] => agent.requests.filter(({ method }) => method === "tasks/get");
    await vi.waitFor(() => expect(polls().length).toBeGreaterThan(0), soon);
    await kill(bridge);
    isDone = true;
    await cluster.startBridge();
    expect(await rpc.result(task)).toMatchObject({ status: "success", response_text: "done at last" });
    expect(agent.requests.filter(({ method }) => method === "message/send").map(marks)).toEqual([marksOf(task)]);
    // A gateway would answer another body with the same key from its cache.
    expect(new Set(polls().map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set([undefined]));
    await cluster.quiet();
    expect(await cluster.executor.results()).toMatchObject([{ task_id: task, status: "SUCCESS" }]);
  });

  test("N5, B5, B7: the result of a task whose bridge is killed before publishing it is still published, once", async () => {
    const answered = Promise.withResolvers<string>();
    const agent = await startHttpAgent(() => answered.promise);
    const cluster = await startCluster({ kafka, agents: [{ name: "A", url: agent.url }] });
    const [rpc, bridge] = await Promise.all([cluster.startRpc(), cluster.startBridge()]);
    const task = await askAgent(rpc, "A", "hello");
    await vi.waitFor(() => expect(agent.requests).toHaveLength(1), soon);
    // No process can publish while the broker is dead, so ended tasks wait.
    await kafka.kill();
    try {
      answered.resolve("kept");
      const waiting = "select share from job where kind = 'agent_call' and state < 4";
      await expect.poll(() => cluster.query(waiting), soon).toEqual([{ share: "publish agent_results" }]);
      await kill(bridge);
    } finally {
      await kafka.start();
    }
    await cluster.startBridge();
    expect(await rpc.result(task)).toMatchObject({ status: "success", response_text: "kept" });
    expect(agent.requests).toHaveLength(1);
    await cluster.quiet();
    expect(await cluster.executor.results()).toMatchObject([{ task_id: task, status: "SUCCESS" }]);
  });

  test("N5, B1, B6: when the process that waits for an answer is killed, another one returns it, and the agent is called once", async () => {
    const answered = Promise.withResolvers<string>();
    const agent = await startHttpAgent(() => answered.promise);
    const cluster = await startCluster({ kafka, agents: [{ name: "A", url: agent.url }] });
    const [dying, other] = await Promise.all([cluster.startRpc(), cluster.startRpc(), cluster.startBridge()]);
    const tasks = await Promise.all(["1", "2", "3", "4", "5"].map((text) => askAgent(dying, "A", text)));
    await vi.waitFor(() => expect(agent.requests).toHaveLength(5), soon);
    await kill(dying);
    answered.resolve("for the other");
    for (const task of tasks) expect(await other.result(task)).toMatchObject({ response_text: "for the other" });
    expect(agent.requests.map(({ id }) => id).toSorted()).toEqual(tasks.toSorted());
    await cluster.quiet();
    // A task that is consumed again has ended, and the same result is published again.
    const results = await cluster.executor.results();
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(5);
  });
});
