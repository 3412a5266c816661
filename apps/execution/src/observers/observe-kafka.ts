import { busLabels, type KafkaGateway } from "@crosszone/kafka-gateway";
import { createGauge, type Metrics } from "@crosszone/service-kit";
import { readTogether } from "./observe-bridge.ts";

/** Updates the queue gauges at each scrape. */
export function measureQueues({ registry }: Metrics, readQueues: KafkaGateway["readQueues"]): void {
  const read = readTogether(readQueues);
  createGauge(registry, "bus_queue_messages", {
    labels: busLabels,
    read: async () =>
      (await read()).map((queue) => ({ labels: { channel: queue.channel, group: queue.group }, value: queue.waiting })),
  });
  createGauge(registry, "bus_queue_oldest_age_seconds", {
    labels: busLabels,
    read: async () =>
      (await read()).map((queue) => ({
        labels: { channel: queue.channel, group: queue.group },
        value: queue.oldestMs / 1_000,
      })),
  });
}
