import { startDevAgents } from "@crosszone/dev-agents";
import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { Admin } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { contractTopics, startCluster } from "../harness/start-cluster.ts";

const soon = { timeout: 90_000, interval: 200 };

/** Returns JSON like Python's `json.dumps`: with spaces, and only ASCII. */
function pythonJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 1)
    .replaceAll(/\n\s*/g, " ")
    .replaceAll(/([[{]) | ([\]}])/g, "$1$2");
  return text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
const number = expect.any(Number) as number;
const words = expect.stringMatching(/./) as string;

describe.skipIf(!(await kafkaIsHere()))("an executor of another installation", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
    // It has old topics with its own number of partitions; the topics that it does not know are created.
    const admin = new Admin({ clientId: "operator", bootstrapBrokers: [...kafka.brokers] });
    const topics = [contractTopics.agent_tasks, contractTopics.agent_results];
    await admin.createTopics({ topics, partitions: 3, replicas: 1 });
    await admin.close();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("R8.6, R3.1, R3.2, R3.3, R3.6, B1, B2: publishes its tasks unchanged, and gets an AgentResult for each", async () => {
    const dev = await startDevAgents();
    onTestFinished(() => dev.close());
    const agent = await startHttpAgent((text) => (text === "wrong" ? "" : text.toUpperCase()));
    const agents = [
      { name: "upper & co", url: agent.url },
      { name: "fingerprint", url: `${dev.url}/fingerprint`, protocol: "simple-a2a" as const },
      { name: "refuses", url: `${dev.url}/proofreader?fault=rpc_error` },
    ];
    const cluster = await startCluster({ kafka, agents, topicPrefix: "" });
    const { executor } = cluster;
    const early = { run_id: "run-1", task_id: "früh", correlation_id: "c-1" };
    // Before the first bridge starts: it finds this task.
    await executor.send(pythonJson({ ...early, agent_name: "upper & co", input_data: { text: "grüße" } }));
    await Promise.all([cluster.startBridge(), cluster.startBridge()]);

    const task = (task_id: string, rest: object): object => ({
      run_id: "8f14e45f-ceea-467f-9b2d-6f0f0f0f0f0f",
      task_id,
      agent_name: "upper & co",
      correlation_id: `of ${task_id}`,
      ...rest,
    });
    const tasks = [
      task("zone-less", { input_data: { text: "a" }, timestamp: "2025-03-04T05:06:07.123456" }),
      task("offset", { input_data: { query: "b" }, timestamp: "2025-03-04T05:06:07+00:00", workflow_step: { n: 1 } }),
      task("text", { input_data: "just text", retry_count: 0, metadata: null }),
      task("older", { agent_name: "fingerprint", input_data: { text: "abc" }, timestamp: "2025-03-04T05:06:07.1Z" }),
      task("refused", { agent_name: "refuses", input_data: { text: "x" } }),
      task("nobody", { agent_name: "who is that", input_data: null }),
      task("no time", { input_data: [1, 2], deadline: "2020-01-01T00:00:00" }),
    ];
    // One with the contract's key, one with the run's, one without a key.
    const keys = ["zone-less", "8f14e45f-ceea-467f-9b2d-6f0f0f0f0f0f", undefined];
    await Promise.all(tasks.map((each, n) => executor.send(pythonJson(each), keys[n % 3])));

    await expect.poll(async () => (await executor.results()).length, soon).toBe(8);
    await cluster.quiet();
    const results = new Map((await executor.results()).map((result) => [result.task_id, result]));
    const result = (task_id: string, rest: object): object => ({
      run_id: "8f14e45f-ceea-467f-9b2d-6f0f0f0f0f0f",
      task_id,
      correlation_id: `of ${task_id}`,
      timestamp: time,
      attempts: 1,
      duration_ms: number,
      ...rest,
    });
    const success = (output: unknown) => ({ status: "SUCCESS", output_data: output, error_message: null });
    const failure = (error: object, rest = {}) => ({
      status: "FAILURE",
      output_data: null,
      error_message: words,
      error: { message: words, retryable: false, ...error },
      ...rest,
    });
    const said = (text: string): unknown => expect.objectContaining({ text });
    expect(results.get("früh")).toEqual(result("früh", { ...early, ...success(said("GRÜSSE")) }));
    expect(results.get("zone-less")).toEqual(result("zone-less", success(said("A"))));
    expect(results.get("offset")).toEqual(result("offset", success(said("B"))));
    expect(results.get("text")).toEqual(result("text", success(said("JUST TEXT"))));
    const hash = expect.objectContaining({
      response: expect.stringContaining("ba7816bf8f01cfea") as string,
    }) as unknown;
    expect(results.get("older")).toEqual(result("older", success(hash)));
    expect(results.get("refused")).toEqual(result("refused", failure({ kind: "rpc_error", code: -32000 })));
    const { attempts: _, ...uncalled } = result("nobody", failure({ kind: "unknown_agent" })) as { attempts: number };
    expect(results.get("nobody")).toEqual(uncalled);
    expect(results.get("no time")).toMatchObject({ status: "FAILURE", error: { kind: "deadline_exceeded" } });
    expect(await executor.deadLetters()).toEqual([]);
    expect(new Set(agent.requests.map(({ headers }) => headers["x-correlation-id"]))).toEqual(
      new Set(["c-1", "of%20offset", "of%20text", "of%20zone-less"]),
    );

    // The same message again, as after a restart of the executor: the same result, and no further call.
    await executor.send(pythonJson(tasks[0]), "zone-less");
    await expect.poll(async () => (await executor.resultsOf("zone-less")).length, soon).toBe(2);
    expect(await executor.resultsOf("zone-less")).toEqual([results.get("zone-less"), results.get("zone-less")]);
    expect(agent.requests).toHaveLength(4);
  });

  test("N5, B8: an unreadable message is a dead letter, and a FAILURE if its task is known; later messages are processed", async () => {
    const agent = await startHttpAgent((text) => `${text}!`);
    const cluster = await startCluster({ kafka, agents: [{ name: "A", url: agent.url }] });
    await cluster.startBridge();
    const { executor } = cluster;
    const ids = (task_id: string): object => ({ run_id: "r", task_id, correlation_id: "c" });
    const poison: readonly (string | Buffer)[] = [
      "not JSON at all",
      "",
      Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
      "null",
      "[]",
      `{"input_data": NaN}`,
      "[".repeat(100_000),
      JSON.stringify({ ...ids("1"), agent_name: "A" }),
      JSON.stringify({ ...ids("2"), agent_name: 7, input_data: null }),
      JSON.stringify({ ...ids("3"), agent_name: "A", input_data: null, timestamp: "yesterday" }),
      JSON.stringify({ ...ids("4"), agent_name: "A", input_data: null, correlation_id: null }),
      JSON.stringify({ run_id: "r", task_id: "", correlation_id: "c", agent_name: "A", input_data: null }),
    ];
    // All under one key, so that the last one waits for all others.
    for (const message of poison) await executor.send(message, "one key");
    await executor.send(JSON.stringify({ ...ids("good"), agent_name: "A", input_data: "still here" }), "one key");
    await expect.poll(async () => (await executor.resultsOf("good")).length, soon).toBe(1);
    await cluster.quiet();
    const results = await executor.results();
    const told = results.map(({ task_id, status, error }) => `${task_id} ${error?.kind ?? status}`);
    const refused = ["1", "2", "3", "4"].map((task_id) => `${task_id} invalid_task`);
    expect(told.toSorted()).toEqual([...refused, "good SUCCESS"]);
    const letters = await executor.deadLetters();
    expect(letters.map(({ text }) => text).toSorted()).toEqual(poison.map(String).toSorted());
    for (const { headers } of letters) expect(Object.values(headers).join(" ")).toContain("agent-bridge");
    expect(agent.requests.map(({ text }) => text)).toEqual(["still here"]);
  });
});
