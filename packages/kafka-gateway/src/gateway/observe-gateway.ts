import { createCounter, createHistogram, type Logger, type MetricsRegistry } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { consumerGroups } from "../bus/bus-message.ts";
import type { BusPlace, GatewayObserver } from "../bus/gateway-observer.ts";

/** Destinations of log lines and metrics. */
export interface ObserveGatewayOptions {
  readonly logger: Logger<ExecutionEvent>;
  readonly registry: MetricsRegistry;
}

/** The allowed values of the labels `channel` and `group`. */
export const busLabels: Readonly<Record<"channel" | "group", readonly string[]>> = {
  channel: Object.keys(consumerGroups),
  group: [...new Set(Object.values(consumerGroups).flat())],
};

const placeOf = ({ channel, group }: BusPlace): BusPlace => ({ channel, group });

/** Returns an observer that turns the gateway's events into log lines and metrics. */
export function observeGateway({ logger, registry }: ObserveGatewayOptions): GatewayObserver {
  const deliveries = createCounter(registry, "bus_deliveries_total", {
    ...busLabels,
    outcome: ["handled", "failed", "dead_letter"],
  });
  const duration = createHistogram(registry, "bus_handling_duration_seconds", busLabels);
  const refused = createCounter(registry, "bus_messages_refused_total", { channel: busLabels.channel });
  return {
    handled: (at) => {
      deliveries.add({ ...placeOf(at), outcome: "handled" });
      duration.observe(placeOf(at), at.durationMs / 1_000);
    },
    failed: ({ error, retryAfterMs, attempt, ...at }) => {
      deliveries.add({ ...placeOf(at), outcome: "failed" });
      const again_in_ms = Math.round(retryAfterMs);
      logger.warn("bus_message_failed", { ...placeOf(at), attempt, again_in_ms, cause: error });
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
