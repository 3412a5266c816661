// inputs: packages/{agent-bridge,agent-calls,contracts,jobs,kafka-gateway,workflow}/** dev/testkit/src/kafka/**
import { randomUUID } from "node:crypto";
import { startDevAgents } from "@crosszone/dev-agents";
import { kafkaIsHere, type KafkaServer, startKafka } from "@crosszone/testkit/kafka";
import { Admin, Consumer, Producer } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startAgent } from "@crosszone/testkit";
import { type AgentResult, type AgentSettings, channels } from "@crosszone/contracts";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { Client } from "pg";
import { startOnDatabase } from "@crosszone/testkit/process";
import { writeAgentsFile } from "../harness/temp-file.ts";

interface ClusterOptions {
  readonly kafka: Pick<KafkaServer, "brokers">;
  /** Agents of the agents file. Their origins are allowed. */
  readonly agents: readonly AgentSettings[];
  /** Default: a new one, so that tests don't affect each other. */
  readonly topicPrefix?: string;
}

/** Prepares a large installation: PostgreSQL, Kafka, and processes with one role each. The test starts the processes that it needs. All end with the test. */
async function startCluster({ kafka, agents, topicPrefix = `${randomUUID()}.` }: ClusterOptions) {
  const database = await newPostgresDatabase();
  const processEnv = {
    // A protocol makes the card unnecessary, which a hanging agent would delay too.
    EXECUTION_FILE: writeAgentsFile(agents.map((agent) => ({ protocol: "jsonrpc-2.0", ...agent }))),
    AGENT_ORIGINS: [...new Set(agents.map(({ url }) => new URL(url).origin))].join(","),
    KAFKA_BROKERS: kafka.brokers.join(","),
    KAFKA_TOPIC_PREFIX: topicPrefix,
    MAX_RUNNING_TASKS: "1000",
    EXECUTION_ROLES: "bridge",
    ...tune({ KAFKA_PARTITIONS: 4 }),
  };
  const query = async <Row extends object>(text: string): Promise<Row[]> => {
    const client = new Client({ connectionString: database, options: "-c search_path=execution" });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const left = "select 1 from job where state < 4 and kind = 'agent_call' union all select 1 from outbox";
  return {
    /** Starts a process that calls agents. */
    startBridge: () => startOnDatabase(database, processEnv),
    /** An independent client of the same topics. */
    executor: startForeignExecutor(kafka.brokers, topicPrefix),
    /** Resolves when no call is open and no message waits for Kafka. After that, no further result is published. */
    quiet: async () => {
      await expect.poll(() => query(left), { timeout: 90_000 }).toEqual([]);
    },
    deadLetters: () => query<{ consumer_group: string; value: string }>("select * from bus_dead_letter order by id"),
  };
}

/** The topics of an installation. */
type Topics = Readonly<Record<keyof typeof channels, string>>;

/** A message in a topic, as any client reads it. */
interface FoundMessage {
  readonly key: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const topicsWith = (prefix: string): Topics => ({
  agent_tasks: prefix + channels.agent_tasks.topic,
  agent_results: prefix + channels.agent_results.topic,
  agent_cancellations: prefix + channels.agent_cancellations.topic,
});

/** Topic names of the contract. */
const contractTopics = topicsWith("");

/** Long, since the machine may be busy. */
const soon = { timeout: 90_000, interval: 50 };

/** Creates an executor that uses nothing of this project: a Kafka client, topic names and JSON. Its topics must exist before it is used. Ends with the test. */
function startForeignExecutor(brokers: readonly string[], prefix = "") {
  const topics = topicsWith(prefix);
  const client = { clientId: "executor", bootstrapBrokers: [...brokers] };

  async function send(topic: string, value: string | Buffer, key?: string): Promise<void> {
    const producer = new Producer(client);
    try {
      const message = { topic, value: Buffer.from(value), ...(key !== undefined && { key: Buffer.from(key) }) };
      await producer.send({ messages: [message], acks: -1 });
    } finally {
      await producer.close();
    }
  }

  /** Returns all messages of a topic. Each read has its own consumer group, so earlier outages don't affect it. */
  async function read(topic: string): Promise<FoundMessage[]> {
    const consumer = new Consumer({ ...client, groupId: `reader-${randomUUID()}` });
    const stop = (): Promise<void> => consumer.close(true).catch(() => undefined);
    onTestFinished(stop);
    const ends = (await consumer.listOffsets({ topics: [topic] })).get(topic) ?? [];
    const stream = await consumer.consume({ topics: [topic], mode: "earliest", autocommit: false });
    const found: FoundMessage[] = [];
    const next = new Map<number, bigint>();
    stream.on("error", () => undefined);
    stream.on("data", ({ key, value, headers, offset, partition }) => {
      next.set(partition, offset + 1n);
      const named = [...headers].map(([name, text]) => [name.toString(), text.toString()] as const);
      // A message without a value or key has null there.
      const [maybeKey, maybeValue] = [key as Buffer | null | undefined, value as Buffer | null | undefined];
      found.push({ key: maybeKey?.toString(), text: maybeValue?.toString() ?? "", headers: Object.fromEntries(named) });
    });
    await expect.poll(() => ends.every((end, partition) => (next.get(partition) ?? 0n) >= end), soon).toBe(true);
    await stop();
    return found;
  }

  const results = async (): Promise<AgentResult[]> =>
    (await read(topics.agent_results)).map(({ text }) => JSON.parse(text) as AgentResult);
  return {
    /** Publishes a task, as text or bytes. */
    send: (message: string | Buffer, key?: string) => send(topics.agent_tasks, message, key),
    /** Returns all results that are in the topic now. */
    results,
    resultsOf: async (taskId: string) => (await results()).filter(({ task_id }) => task_id === taskId),
  };
}

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
  });
  afterAll(() => kafka.stop());

  test("R8.6, R3.1, R3.2, R3.3, R3.6, B1, B2: publishes its tasks unchanged, and gets an AgentResult for each", async () => {
    const dev = await startDevAgents();
    onTestFinished(() => dev.close());
    const agent = await startAgent((text) => (text === "wrong" ? "" : text.toUpperCase()));
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
    expect(await cluster.deadLetters()).toEqual([]);
    expect(new Set(agent.requests.map(({ headers }) => headers["x-correlation-id"]))).toEqual(
      new Set(["c-1", "of%20offset", "of%20text", "of%20zone-less"]),
    );

    // The same message again, as after a restart of the executor: the same result, and no further call.
    await executor.send(pythonJson(tasks[0]), "zone-less");
    await expect.poll(async () => (await executor.resultsOf("zone-less")).length, soon).toBe(2);
    expect(await executor.resultsOf("zone-less")).toEqual([results.get("zone-less"), results.get("zone-less")]);
    expect(agent.requests).toHaveLength(4);
  });

  test("B8: an unreadable message is a dead letter, and a FAILURE if its task is known; later messages are processed", async () => {
    const agent = await startAgent((text) => `${text}!`);
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
    const letters = await cluster.deadLetters();
    const bytes = letters.map(({ value }) => {
      const { text, base64 = "" } = JSON.parse(value) as { readonly text?: string; readonly base64?: string };
      return text === undefined ? Buffer.from(base64, "base64") : Buffer.from(text);
    });
    expect(bytes).toEqual(poison.map((message) => Buffer.from(message)));
    for (const { consumer_group } of letters) expect(consumer_group).toBe("agent-bridge");
    expect(agent.requests.map(({ text }) => text)).toEqual(["still here"]);
  });
});
