import { metrics } from "@crosszone/telemetry";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { measureAcceptQueue, measureTurns } from "./process-load.ts";
import type { MetricsRegistry } from "./series.ts";

export interface Metrics {
  /** The registry of this app's instruments, never the library's global one. */
  readonly registry: MetricsRegistry;
  /** Returns the response body of `GET /metrics`. */
  readonly render: () => Promise<{ readonly contentType: string; readonly body: string }>;
  /** Adds a port to those whose waiting connections are measured. */
  readonly listensOn: (port: number) => void;
}

/** The running build, for `crosszone_build_info`. */
export interface Build {
  readonly zone: string;
  readonly version: string;
}

/** Sums of gauges by type. Their names end like those of counters. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/**
 * Creates a registry with the metrics of the process and its build. `ofProcess`: whether to add CPU, memory, event loop delay and garbage
 * collection, which are observed until the process ends.
 */
export function createMetrics(build?: Build, { ofProcess = true }: { readonly ofProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) {
    collectDefaultMetrics({ register: registry });
    for (const name of misnamed) registry.removeSingleMetric(name);
    measureTurns(registry);
  }
  if (build !== undefined) addBuildInfo(registry, build);
  return {
    registry,
    listensOn: ofProcess ? measureAcceptQueue(registry) : () => undefined,
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** https://www.robustperception.io/exposing-the-software-version-to-prometheus/ */
function addBuildInfo(registry: Registry, { zone, version }: Build): void {
  const name = "crosszone_build_info";
  const labelNames = ["zone", "version"];
  new Gauge({ name, help: metrics[name].help, labelNames, registers: [registry] }).set({ zone, version }, 1);
}
