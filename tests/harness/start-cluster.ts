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
  readonly database: string;
  /** Starts a process that calls agents. */
  readonly startBridge: () => Promise<TaskProcess>;
  /** Starts a process that serves the zone link. */
  readonly startRpc: () => Promise<TaskProcess>;
  /** Starts a process that runs workflows. */
  readonly startWorkflow: () => Promise<TaskProcess>;
  /** An independent client of the same topics. */
  readonly executor: ForeignExecutor;
  readonly query: (statement: string) => Promise<readonly Record<string, unknown>[]>;
  /** Resolves when no call is open and no message waits for Kafka. After that, no further result is published. */
  readonly quiet: () => Promise<void>;
}

export interface ClusterOptions {
  readonly kafka: Pick<KafkaServer, "brokers">;
  /** Agents of the agents file. Their origins are allowed. */
  readonly agents: readonly AgentSettings[];
  /** Default: a new database on the server of the test run. */
  readonly database?: string;
  /** Default: a new one, so that tests don't affect each other. */
  readonly topicPrefix?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Prepares an installation. The test starts the processes that it needs. All end with the test. */
export async function startCluster({
  kafka,
  agents,
  topicPrefix = `${randomUUID()}.`,
  env,
  ...given
}: ClusterOptions): Promise<Cluster> {
  const database = given.database ?? (await newPostgresDatabase());
  const processEnv = {
    // A protocol makes the card unnecessary, which a hanging agent would delay too.
    AGENTS_FILE: await writeAgentsFile(agents.map((agent) => ({ protocol: "jsonrpc-2.0", ...agent }))),
    AGENT_ORIGINS: [...new Set(agents.map(({ url }) => new URL(url).origin))].join(","),
    KAFKA_BROKERS: kafka.brokers.join(","),
    KAFKA_CREATE_TOPICS: "true",
    KAFKA_TOPIC_PREFIX: topicPrefix,
    MAX_RUNNING_TASKS: "1000",
    ...tune({ KAFKA_PARTITIONS: 4 }, env),
  };
  const start = (role: string) => () => startTaskProcess(database, { ...processEnv, EXECUTION_ROLES: role });
  const query: Cluster["query"] = async (statement) => {
    const client = new Client({ connectionString: database, options: "-c search_path=execution" });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    database,
    startBridge: start("bridge"),
    startRpc: start("rpc"),
    startWorkflow: start("workflow"),
    executor: startForeignExecutor(kafka.brokers, topicPrefix),
    query,
    quiet: async () => {
      const left = "select count(*) as left from job where state < 4 and kind in ('agent_call', 'publish')";
      await expect.poll(async () => Number((await query(left))[0]?.["left"]), { timeout: 90_000 }).toBe(0);
    },
  };
}

/** Asks an agent of an installation and returns the task's id. */
export async function askAgent(rpc: TaskProcess, agent: string, text: string): Promise<string> {
  const params = { channel: "C1", text, bot_token: "handle", agent };
  return String((await rpc.call("execute_task", params))["task_id"]);
}
