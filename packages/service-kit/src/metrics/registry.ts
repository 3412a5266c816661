import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

export type MetricsRegistry = Registry;

export interface Metrics {
  /** The registry of this app's instruments, never the library's global one. */
  readonly registry: MetricsRegistry;
  /** Returns the response body of `GET /metrics`. */
  readonly render: () => Promise<RenderedMetrics>;
}

export interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string;
}

/** The running build, for `crosszone_build_info`. */
export interface Build {
  readonly zone: string;
  readonly version: string;
}

/** Sums of gauges that are there by type. Their names say that they only grow, and they do not. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/**
 * Creates a registry with the metrics of the process: CPU, memory, event loop delay, garbage collection, build. These observers live as long
 * as the process: without `ofProcess`, a simulation of many processes does without them.
 */
export function createMetrics(build?: Build, { ofProcess = true }: { readonly ofProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) {
    collectDefaultMetrics({ register: registry });
    for (const name of misnamed) registry.removeSingleMetric(name);
  }
  if (build !== undefined) addBuildInfo(registry, build);
  return {
    registry,
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** https://www.robustperception.io/exposing-the-software-version-to-prometheus/ */
function addBuildInfo(registry: Registry, { zone, version }: Build): void {
  const labelNames = ["zone", "version"];
  const help = "What runs; always 1";
  new Gauge({ name: "crosszone_build_info", help, labelNames, registers: [registry] }).set({ zone, version }, 1);
}
