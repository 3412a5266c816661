import type { AgentBridge, AgentSlots, CircuitBreakers, CircuitState } from "@crosszone/agent-bridge";
import { type BusEmit, busLabels, BusUnavailableError, type KafkaGateway } from "@crosszone/kafka-gateway";
import { ConfigError, createGauge, createRecordCodec, type Metrics, type Vault } from "@crosszone/service-kit";
import { sharedRun } from "@crosszone/service-kit/timing";
import type { Workflows } from "@crosszone/workflow";
import type { ExecutionDatabase, ZoneJobs } from "../store/open-execution-database.ts";
import { readKafkaProperties } from "./config/config.ts";
import type { ExecutionConfig } from "./config/variables.ts";
import type { RoleParts } from "./open-store.ts";

const circuitValues = { closed: 0, half_open: 1, open: 2 } satisfies Record<CircuitState, number>;

/** Updates the gauges of the bridge and its agents at each scrape. */
export function measureBridge(
  { registry }: Metrics,
  bridge: {
    readonly calls: AgentBridge["readings"];
    readonly circuits: CircuitBreakers["readings"];
    readonly slots: AgentSlots["readings"];
    /** Whether a name is that of an agent. */
    readonly isKnown: (name: string) => boolean;
  },
): void {
  const { circuits, slots, isKnown } = bridge;
  // All gauges of a scrape use the same read.
  const read = sharedRun(bridge.calls);
  createGauge(registry, "agent_calls_waiting", async () => (await read()).waiting);
  createGauge(registry, "agent_call_oldest_waiting_seconds", async () => (await read()).oldestWaitingMs / 1_000);
  createGauge(registry, "agent_calls_running", {
    labels: { agent_name: isKnown },
    read: () => [...slots()].map(([agent_name, value]) => ({ labels: { agent_name }, value })),
  });
  createGauge(registry, "agent_circuit_state", {
    labels: { agent_name: isKnown },
    read: () => circuits().map(({ agent, state }) => ({ labels: { agent_name: agent }, value: circuitValues[state] })),
  });
}

/** Updates the run gauges at each scrape, for all processes that share the database. */
export function measureWorkflows({ registry }: Metrics, readings: Workflows["readings"]): void {
  const read = sharedRun(readings);
  createGauge(registry, "workflow_runs_open", async () => (await read()).open);
  createGauge(registry, "workflow_run_oldest_due_seconds", async () => (await read()).oldestDueMs / 1_000);
}

/** Updates the queue gauges at each scrape. */
export function measureQueues({ registry }: Metrics, readQueues: KafkaGateway["readQueues"]): void {
  const read = sharedRun(readQueues);
  const gauge = (name: QueueGauge, valueOf: (queue: QueueReading) => number): void =>
    createGauge(registry, name, {
      labels: busLabels,
      read: async () => (await read()).map((queue) => ({ labels: labelsOf(queue), value: valueOf(queue) })),
    });
  gauge("bus_queue_messages", ({ waiting }) => waiting);
  gauge("bus_queue_oldest_age_seconds", ({ oldestMs }) => oldestMs / 1_000);
}

type QueueGauge = "bus_queue_messages" | "bus_queue_oldest_age_seconds";
type QueueReading = Awaited<ReturnType<KafkaGateway["readQueues"]>>[number];

const labelsOf = ({ channel, group }: QueueReading) => ({ channel, group });

/**
 * Opens the gateway to Kafka; undefined without KAFKA_BROKERS. The zone is ready only while a broker answers. Rejects
 * with a `ConfigError` when Kafka can't be used with these variables.
 */
export async function openGateway(parts: RoleParts): Promise<KafkaGateway | undefined> {
  const { config, metrics, health } = parts;
  if (config.KAFKA_BROKERS === undefined) return undefined;
  const gateway = await connectGateway(config, parts);
  measureQueues(metrics, gateway.readQueues);
  health.addCheck("kafka", () => gateway.ping(), { timeoutMs: 2_000 });
  return gateway;
}

/** Connects to Kafka. Rejects with a `ConfigError` when it can't be used with these variables. */
export async function connectGateway(
  config: ExecutionConfig,
  parts: {
    readonly database: ExecutionDatabase;
    readonly jobs: ZoneJobs;
    readonly vault?: Vault | undefined;
    readonly emit?: BusEmit;
    /** False: rejects with a `MissingTopicsError`. Otherwise missing topics are created. */
    readonly createsTopics?: false;
  },
): Promise<KafkaGateway> {
  const { database, jobs, vault, emit, createsTopics = true } = parts;
  // Loads the Kafka client only when needed.
  const kafka = await import("@crosszone/kafka-gateway/kafka");
  const { clientId = config.KAFKA_CLIENT_ID, ...connection } = readKafkaProperties(config.KAFKA_PROPERTIES_FILE);
  try {
    return await kafka.openKafkaGateway({
      ...connection,
      clientId,
      brokers: config.KAFKA_BROKERS ?? [],
      topicPrefix: config.KAFKA_TOPIC_PREFIX,
      messageBytes: config.MAX_AGENT_RESPONSE * resultFactor,
      createTopics: createsTopics ? { partitions: config.KAFKA_PARTITIONS } : undefined,
      jobs,
      database,
      codec: createRecordCodec(vault),
      emit,
    });
  } catch (error) {
    if (createsTopics && error instanceof kafka.MissingTopicsError)
      throw new ConfigError([{ name: "KAFKA_BROKERS", wrong: `names brokers without the topics. ${error.message}` }]);
    if (!(error instanceof BusUnavailableError)) throw error;
    const wrong =
      "names brokers that can't be used right now: start them, or check the address and KAFKA_PROPERTIES_FILE";
    throw new ConfigError([{ name: "KAFKA_BROKERS", wrong }]);
  }
}

/** A result can contain the text of an answer twice: as the response and in the artifacts. */
const resultFactor = 2;
