import type { ExecutionJobTables } from "@crosszone/agent-calls";
import { createKafkaBus, type KafkaBusOptions } from "./bus/create-kafka-bus.ts";
import { MissingTopicsError } from "./bus/kafka-errors.ts";
import type { DeadLetterTables } from "./database/dead-letters.ts";
import { createGateway } from "./gateway/create-gateway.ts";
import type { GatewayOptions, GatewayRoles, KafkaGateway } from "./gateway/kafka-gateway.ts";

export { createKafkaBus, MissingTopicsError, type GatewayRoles, type KafkaBusOptions };

/**
 * Connects a process to Kafka. Throws a `MissingTopicsError` that names missing topics, and a `BusUnavailableError` when
 * no broker can be reached. Later on, it reconnects automatically.
 */
export async function openGateway<Tables extends ExecutionJobTables & DeadLetterTables>(
  options: GatewayOptions<Tables>,
): Promise<KafkaGateway> {
  return createGateway(options, await createKafkaBus(options));
}
