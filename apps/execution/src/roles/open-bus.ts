import { insteadOfTooLarge } from "@crosszone/agent-bridge";
import { BusUnavailableError, createEmbeddedBus, type BusObserver, type MessageBus } from "@crosszone/bus";
import type { KafkaBusOptions } from "@crosszone/bus/kafka";
import { ConfigError, createRecordCodec, type Vault } from "@crosszone/service-kit";
import { busGroups } from "../bus-groups.ts";
import type { ExecutionConfig } from "../config.ts";
import type { busVariables } from "../config/bus-variables.ts";
import { readCertificates, readNamedFile } from "../config/read-named-file.ts";
import type { ExecutionDatabase, ExecutionTables } from "../database/open-execution-database.ts";
import { observeBus, showQueues } from "../observe-bus.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** Opens the configured bus: Kafka, or the zone's own database. The zone is ready only while the bus answers. */
export async function openBus({ config, database, vault, logger, metrics, health }: ZoneBasis): Promise<MessageBus> {
  const bus = await connectBus(config, { database, vault, observer: observeBus({ logger, metrics }) });
  showQueues(metrics, bus);
  // The database check covers a bus in the database.
  if (bus.kind === "kafka") health.addCheck("kafka", () => bus.ping(), { timeoutMs: 2_000 });
  return bus;
}

/** The variables of the bus. */
export type BusConfig = Pick<ExecutionConfig, keyof typeof busVariables>;

/** What a bus needs besides its variables. */
export interface BusParts {
  readonly database: ExecutionDatabase;
  readonly vault: Vault | undefined;
  readonly observer?: Partial<BusObserver>;
}

/** Connects to the bus. Rejects with a `ConfigError` when Kafka can't be used with these variables. */
export async function connectBus(config: BusConfig, { database, vault, observer = {} }: BusParts): Promise<MessageBus> {
  const parts = { database, groups: busGroups, codec: createRecordCodec(vault), observer };
  if (config.KAFKA_BROKERS === undefined) return createEmbeddedBus(parts);
  // Loads the Kafka client only when needed.
  const { createKafkaBus, MissingTopicsError } = await import("@crosszone/bus/kafka");
  const options = await kafkaOptions(config);
  try {
    return await createKafkaBus({ ...parts, ...options, insteadOfTooLarge });
  } catch (error) {
    if (error instanceof MissingTopicsError)
      throw new ConfigError([{ name: "KAFKA_CREATE_TOPICS", wrong: `is false. ${error.message}` }]);
    if (!(error instanceof BusUnavailableError)) throw error;
    const wrong = "names brokers that can't be used right now: start them, or check the address, TLS and credentials";
    throw new ConfigError([{ name: "KAFKA_BROKERS", wrong }]);
  }
}

type KafkaOptions = Omit<KafkaBusOptions<ExecutionTables>, "database" | "groups" | "codec" | "observer">;

/** A result can contain the text of an answer twice: as the response and in the artifacts. */
const resultFactor = 2;

/**
 * Returns the Kafka settings of the variables. Rejects with a `ConfigError` that names the variable of an unusable
 * file.
 */
async function kafkaOptions(config: BusConfig): Promise<KafkaOptions> {
  const { KAFKA_SASL: mechanism, KAFKA_USERNAME: username = "", KAFKA_PASSWORD: password = "" } = config;
  return {
    brokers: config.KAFKA_BROKERS ?? [],
    clientId: config.KAFKA_CLIENT_ID,
    tls: config.KAFKA_TLS && (await tlsFiles(config)),
    ...(mechanism !== undefined && { sasl: { mechanism, username, password } }),
    topics: {
      agent_tasks: config.KAFKA_TOPIC_AGENT_TASKS,
      agent_results: config.KAFKA_TOPIC_AGENT_RESULTS,
      agent_cancellations: config.KAFKA_TOPIC_AGENT_CANCELLATIONS,
    },
    ...(config.KAFKA_CREATE_TOPICS && {
      createTopics: { partitions: config.KAFKA_PARTITIONS, replicas: config.KAFKA_REPLICAS },
    }),
    messageBytes: config.MAX_AGENT_RESPONSE * resultFactor,
  };
}

async function tlsFiles(config: BusConfig) {
  const { KAFKA_CA_FILE: ca, KAFKA_CERT_FILE: cert, KAFKA_KEY_FILE: key } = config;
  return {
    ...(ca !== undefined && { ca: await readCertificates(ca, "KAFKA_CA_FILE") }),
    ...(cert !== undefined && { cert: await readCertificates(cert, "KAFKA_CERT_FILE") }),
    ...(key !== undefined && { key: await readNamedFile(key, "KAFKA_KEY_FILE") }),
  };
}
