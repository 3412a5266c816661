import { randomUUID } from "node:crypto";
import type { AgentSettings } from "@crosszone/contracts";
import type { KafkaServer } from "@crosszone/testkit/kafka";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { Client } from "pg";
import { expect } from "vitest";
import { startForeignExecutor, type ForeignExecutor } from "./start-foreign-executor.ts";
import { startTaskProcess, type TaskProcess } from "./start-task-process.ts";
import { writeAgentsFile } from "./write-definitions.ts";
import { tune } from "@crosszone/testkit/tune";

/** A large installation: PostgreSQL, Kafka, and processes with one role each. */
export interface Cluster {
  /** Starts a process that calls agents. */
  readonly startBridge: () => Promise<TaskProcess>;
  /** An independent client of the same topics. */
  readonly executor: ForeignExecutor;
  /** Resolves when no call is open and no message waits for Kafka. After that, no further result is published. */
  readonly quiet: () => Promise<void>;
}

export interface ClusterOptions {
  readonly kafka: Pick<KafkaServer, "brokers">;
  /** Agents of the agents file. Their origins are allowed. */
  readonly agents: readonly AgentSettings[];
  /** Default: a new one, so that tests don't affect each other. */
  readonly topicPrefix?: string;
}

/** Prepares an installation. The test starts the processes that it needs. All end with the test. */
export async function startCluster({
  kafka,
  agents,
  topicPrefix = `${randomUUID()}.`,
}: ClusterOptions): Promise<Cluster> {
  const database = await newPostgresDatabase();
  const processEnv = {
    // A protocol makes the card unnecessary, which a hanging agent would delay too.
    AGENTS_FILE: await writeAgentsFile(agents.map((agent) => ({ protocol: "jsonrpc-2.0", ...agent }))),
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
    startBridge: () => startTaskProcess(database, processEnv),
    executor: startForeignExecutor(kafka.brokers, topicPrefix),
    quiet: async () => {
      await expect.poll(openCalls, { timeout: 90_000 }).toBe(0);
    },
  };
}
