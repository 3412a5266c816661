import { randomUUID } from "node:crypto";
import { type AgentResult, type AgentSettings, channels } from "@crosszone/contracts";
import type { KafkaServer } from "@crosszone/testkit/kafka";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { Consumer, Producer } from "@platformatic/kafka";
import { Client } from "pg";
import { expect, onTestFinished } from "vitest";
import { startTaskProcess } from "./start-task-process.ts";
import { writeAgentsFile } from "./temp-file.ts";

interface ClusterOptions {
  readonly kafka: Pick<KafkaServer, "brokers">;
  /** Agents of the agents file. Their origins are allowed. */
  readonly agents: readonly AgentSettings[];
  /** Default: a new one, so that tests don't affect each other. */
  readonly topicPrefix?: string;
}

/** Prepares a large installation: PostgreSQL, Kafka, and processes with one role each. The test starts the processes that it needs. All end with the test. */
export async function startCluster({ kafka, agents, topicPrefix = `${randomUUID()}.` }: ClusterOptions) {
  const database = await newPostgresDatabase();
  const processEnv = {
    // A protocol makes the card unnecessary, which a hanging agent would delay too.
    AGENTS_FILE: writeAgentsFile(agents.map((agent) => ({ protocol: "jsonrpc-2.0", ...agent }))),
    AGENT_ORIGINS: [...new Set(agents.map(({ url }) => new URL(url).origin))].join(","),
    KAFKA_BROKERS: kafka.brokers.join(","),
    KAFKA_TOPIC_PREFIX: topicPrefix,
    MAX_RUNNING_TASKS: "1000",
    EXECUTION_ROLES: "bridge",
    ...tune({ KAFKA_PARTITIONS: 4 }),
  };
  const openCalls = async (): Promise<number> => {
    const client = new Client({ connectionString: database, options: "-c search_path=execution" });
    await client.connect();
    try {
      const left = "select 1 from job where state < 4 and kind in ('agent_call', 'publish')";
      return (await client.query(left)).rows.length;
    } finally {
      await client.end();
    }
  };
  return {
    /** Starts a process that calls agents. */
    startBridge: () => startTaskProcess(database, processEnv),
    /** An independent client of the same topics. */
    executor: startForeignExecutor(kafka.brokers, topicPrefix),
    /** Resolves when no call is open and no message waits for Kafka. After that, no further result is published. */
    quiet: async () => {
      await expect.poll(openCalls, { timeout: 90_000 }).toBe(0);
    },
  };
}

/** The topics of an installation. */
export type Topics = Readonly<Record<keyof typeof channels, string>>;

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
export const contractTopics = topicsWith("");

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
      found.push({
        key: maybeKey?.toString(),
        text: maybeValue?.toString() ?? "",
        headers: Object.fromEntries(named),
      });
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
    /** Returns the dead letters of a topic. Default: the topic of tasks. */
    deadLetters: (of: keyof Topics = "agent_tasks") => read(`${topics[of]}.dead-letters`),
  };
}
