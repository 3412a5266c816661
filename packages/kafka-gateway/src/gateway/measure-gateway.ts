import { createCounter, createHistogram, measured, type MetricsRegistry } from "@crosszone/service-kit";
import { type BusEmit, type BusPlace, consumerGroups } from "../bus/bus-message.ts";

/** The allowed values of the labels `channel` and `group`. */
export const busLabels: Readonly<Record<"channel" | "group", readonly string[]>> = {
  channel: Object.keys(consumerGroups),
  group: [...new Set(Object.values(consumerGroups).flat())],
};

/** Returns a function that measures the gateway's events, and reports them to `emit`. */
export function measureGateway(emit: BusEmit, registry: MetricsRegistry): BusEmit {
  const outcomes = ["handled", "failed", "dead_letter"];
  const deliveries = createCounter(registry, "bus_deliveries_total", { ...busLabels, outcome: outcomes });
  const duration = createHistogram(registry, "bus_handling_duration_seconds", busLabels);
  const refused = createCounter(registry, "bus_messages_refused_total", { channel: busLabels.channel });
  const count = ({ channel, group }: BusPlace, outcome: string): void => deliveries.add({ channel, group, outcome });
  return measured(emit, {
    bus_message_handled: ({ duration_ms, ...at }: BusPlace & { readonly duration_ms: number }) => {
      count(at, "handled");
      duration.observe({ channel: at.channel, group: at.group }, duration_ms / 1_000);
    },
    bus_message_failed: (at: BusPlace) => count(at, "failed"),
    bus_message_dead: (at: BusPlace) => count(at, "dead_letter"),
    bus_message_refused: ({ channel }: BusPlace) => refused.add({ channel }),
  });
}
