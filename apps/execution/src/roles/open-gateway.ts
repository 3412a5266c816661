import { type BusEmit, BusUnavailableError, type KafkaGateway } from "@crosszone/kafka-gateway";
import { ConfigError, type ConfigValues, createRecordCodec } from "@crosszone/service-kit";
import { readKafkaProperties } from "../config/kafka-properties.ts";
import type { gatewayVariables } from "../config/process-variables.ts";
import { measureQueues } from "../observers/gauges.ts";
import type { RoleParts } from "./role-parts.ts";

/**
 * Opens the gateway to Kafka; undefined without KAFKA_BROKERS. The zone is ready only while a broker answers. Rejects
 * with a `ConfigError` when Kafka can't be used with these variables.
 */
export async function openGateway(options: Omit<RoleParts, "environment">): Promise<KafkaGateway | undefined> {
  const { config, database, jobs, vault, metrics, health, emit } = options;
  if (config.KAFKA_BROKERS === undefined) return undefined;
  const gateway = await connectGateway(config, { database, jobs, vault, emit });
  measureQueues(metrics, gateway.readQueues);
  health.addCheck("kafka", () => gateway.ping(), { timeoutMs: 2_000 });
  return gateway;
}

/** What a gateway needs besides its variables. */
interface GatewayParts extends Pick<RoleParts, "database" | "jobs" | "vault"> {
  readonly emit?: BusEmit;
  /** False: rejects with a `MissingTopicsError`. Otherwise missing topics are created. */
  readonly createsTopics?: false;
}

/** Connects to Kafka. Rejects with a `ConfigError` when it can't be used with these variables. */
export async function connectGateway(
  config: ConfigValues<typeof gatewayVariables>,
  parts: GatewayParts,
): Promise<KafkaGateway> {
  const { database, jobs, vault, emit, createsTopics = true } = parts;
  // Loads the Kafka client only when needed.
  const kafka = await import("@crosszone/kafka-gateway/kafka");
  try {
    return await kafka.openGateway({
      ...readKafkaProperties(config.KAFKA_PROPERTIES_FILE),
      brokers: config.KAFKA_BROKERS ?? [],
      clientId: config.KAFKA_CLIENT_ID,
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
