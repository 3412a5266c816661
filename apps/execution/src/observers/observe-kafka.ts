import { consumerGroups, type BusObserver, type BusPlace, type KafkaGateway } from "@crosszone/kafka-gateway";
import { createCounter, createGauge, createHistogram } from "@crosszone/service-kit";
import type { Telemetry } from "./log-events.ts";
import { readTogether } from "./observe-bridge.ts";

const labels = { channel: Object.keys(consumerGroups), group: [...new Set(Object.values(consumerGroups).flat())] };
const placeOf = ({ channel, group }: BusPlace): BusPlace => ({ channel, group });

/** Turns bus events into log lines and metrics. */
export function observeKafka({ logger, metrics: { registry } }: Telemetry): BusObserver & {
  readonly storeFailed: (operation: string, cause: unknown) => void;
} {
  const deliveries = createCounter(registry, {
    name: "bus_deliveries_total",
    help: "Messages consumed from the bus, by result: handled, failed (redelivered), dead_letter",
    labels: { ...labels, outcome: ["handled", "failed", "dead_letter"] },
  });
  const duration = createHistogram(registry, {
    name: "bus_handling_duration_seconds",
    help: "Time to process a bus message, in seconds",
    labels,
  });
  const refused = createCounter(registry, {
    name: "bus_messages_refused_total",
    help: "Invalid messages that became dead letters, by channel",
    labels: { channel: labels.channel },
  });
  return {
    handled: (at) => {
      deliveries.add({ ...placeOf(at), outcome: "handled" });
      duration.observe(placeOf(at), at.durationMs / 1_000);
    },
    failed: ({ error, againInMs, attempt, ...at }) => {
      deliveries.add({ ...placeOf(at), outcome: "failed" });
      logger.warn("bus_message_failed", { ...placeOf(at), attempt, again_in_ms: Math.round(againInMs), cause: error });
    },
    refused: ({ channel, reason }) => {
      refused.add({ channel });
      logger.error("bus_message_refused", { channel, because: reason });
    },
    deadLettered: ({ reason, attempt, ...at }) => {
      deliveries.add({ ...placeOf(at), outcome: "dead_letter" });
      logger.error("bus_message_dead", { ...placeOf(at), attempt, because: reason });
    },
    storeFailed: (operation, cause) => logger.warn("bus_store_failed", { operation, cause }),
    unreachable: ({ error, ...at }) => logger.warn("bus_unreachable", { ...placeOf(at), cause: error }),
  };
}

/** Updates the queue gauges at each scrape. */
export function measureQueues(
  { registry }: Telemetry["metrics"],
  { readQueues }: Pick<KafkaGateway, "readQueues">,
): void {
  const read = readTogether(readQueues);
  createGauge(registry, {
    name: "bus_queue_messages",
    help: "Messages not processed yet, by channel and group",
    labels,
    read: async () => (await read()).map((queue) => ({ labels: placeOf(queue), value: queue.waiting })),
  });
  createGauge(registry, {
    name: "bus_queue_oldest_age_seconds",
    help: "Age of the oldest of these messages, by channel and group",
    labels,
    read: async () => (await read()).map((queue) => ({ labels: placeOf(queue), value: queue.oldestMs / 1_000 })),
  });
}
