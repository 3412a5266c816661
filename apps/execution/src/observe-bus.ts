import { busLabels, type KafkaGateway } from "@crosszone/kafka-gateway";
import { createGauge } from "@crosszone/service-kit";
import type { ExecutionDeps } from "./deps.ts";
import { readTogether } from "./read-together.ts";

/** Updates the queue gauges at each scrape. */
export function showQueues(
  { registry }: ExecutionDeps["metrics"],
  { readQueues }: Pick<KafkaGateway, "readQueues">,
): void {
  const read = readTogether(readQueues);
  createGauge(registry, {
    name: "bus_queue_messages",
    help: "Messages not processed yet, by channel and group",
    labels: busLabels,
    read: async () =>
      (await read()).map(({ channel, group, waiting }) => ({ labels: { channel, group }, value: waiting })),
  });
  createGauge(registry, {
    name: "bus_queue_oldest_age_seconds",
    help: "Age of the oldest of these messages, by channel and group",
    labels: busLabels,
    read: async () =>
      (await read()).map(({ channel, group, oldestMs }) => ({ labels: { channel, group }, value: oldestMs / 1_000 })),
  });
}
