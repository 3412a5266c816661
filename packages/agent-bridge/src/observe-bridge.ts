import type { Logger, MetricsRegistry } from "@crosszone/service-kit";
import type { BridgeEvent } from "./bridge-events.ts";
import { measureBridge, type BridgeLabels } from "./bridge-metrics.ts";
import type { BridgeObserver } from "./bridge-observer.ts";
import { logBridge } from "./log-bridge.ts";

/** Destinations of log lines and metrics, and the allowed label values. */
export interface ObserveBridgeOptions extends BridgeLabels {
  readonly logger: Logger<BridgeEvent>;
  readonly registry: MetricsRegistry;
}

/** Returns an observer that turns the bridge's events into log lines and metrics. */
export function observeBridge({ logger, registry, ...labels }: ObserveBridgeOptions): BridgeObserver {
  return tellBoth(logBridge(logger), measureBridge(registry, labels));
}

/** Returns an observer that passes every event to both observers. */
export function tellBoth(first: BridgeObserver, second: BridgeObserver): BridgeObserver {
  type Tell = (...told: unknown[]) => void;
  const names = Object.keys(first) as (keyof BridgeObserver)[];
  const both = names.map((name): [string, Tell] => {
    const tells = [first[name], second[name]] as Tell[];
    return [name, (...told) => tells.forEach((tell) => tell(...told))];
  });
  return Object.fromEntries(both) as unknown as BridgeObserver;
}
