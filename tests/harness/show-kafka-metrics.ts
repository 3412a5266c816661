import { measureQueues } from "@crosszone/execution";
import { observeGateway } from "@crosszone/kafka-gateway";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { readExposition, type ExposedMetric } from "./read-exposition.ts";

/** What a zone with Kafka shows of it, after a message of each kind. */
export async function showKafkaMetrics(): Promise<ExposedMetric[]> {
  const metrics = createMetrics();
  const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });
  const observer = observeGateway({ logger, registry: metrics.registry });
  const at = { channel: "agent_tasks", group: "agent-bridge", attempt: 1 } as const;
  observer.handled({ ...at, durationMs: 1 });
  observer.failed({ ...at, error: new Error("no"), retryAfterMs: 1 });
  observer.refused({ ...at, reason: "no JSON" });
  observer.deadLettered({ ...at, reason: "no JSON" });
  measureQueues(metrics, { readQueues: async () => [{ ...at, waiting: 1, oldestMs: 1 }] });
  return readExposition((await metrics.render()).body).filter(({ name }) => name.startsWith("bus_"));
}
