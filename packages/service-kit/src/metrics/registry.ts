import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createCounter, createHistogram, type InstrumentOptions } from "./instruments.ts";
import type { Labels, LabelValues, MetricsRegistry } from "./series.ts";

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

/** Sums of gauges by type. Their names end like those of counters. */
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

export interface RedOptions<Name extends string> extends InstrumentOptions<Name> {
  /** Prefix of both metric names, without a unit: `rpc` gives `rpc_requests_total` and `rpc_duration_seconds`. */
  readonly name: string;
  /** The outcomes of a request, for example `success` and the error kinds. */
  readonly outcomes: LabelValues;
}

export interface RedMetrics<Name extends string> {
  /** Counts one finished request. `durationMs` is in milliseconds; the metric is in seconds. */
  readonly record: (request: { labels: Labels<Name>; outcome: string; durationMs: number }) => void;
}

/**
 * Creates the two metrics for rate, errors and duration of requests: `<name>_requests_total{…labels, outcome}` and
 * `<name>_duration_seconds{…labels}`.
 */
export function createRedMetrics<Name extends string>(
  registry: MetricsRegistry,
  { name, help, labels, outcomes }: RedOptions<Name>,
): RedMetrics<Name> {
  const requests = createCounter<Name | "outcome">(registry, {
    name: `${name}_requests_total`,
    help: `${help}: how many, by outcome`,
    labels: { ...labels, outcome: outcomes },
  });
  const duration = createHistogram<Name>(registry, {
    name: `${name}_duration_seconds`,
    help: `${help}: how long, in seconds`,
    labels,
  });
  return {
    record: (request) => {
      requests.add({ ...request.labels, outcome: request.outcome });
      duration.observe(request.labels, request.durationMs / 1_000);
    },
  };
}
