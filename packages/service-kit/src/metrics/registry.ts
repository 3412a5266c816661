import { metrics, type RequestMetricsName } from "@crosszone/telemetry";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createCounter, createHistogram } from "./instruments.ts";
import { measureAcceptQueue, measureTurns } from "./process-load.ts";
import type { LabelDefinition, Labels, LabelValues, MetricsRegistry } from "./series.ts";

export interface Metrics {
  /** The registry of this app's instruments, never the library's global one. */
  readonly registry: MetricsRegistry;
  /** Returns the response body of `GET /metrics`. */
  readonly render: () => Promise<RenderedMetrics>;
  /** Adds a port to those whose waiting connections are measured. */
  readonly listensOn: (port: number) => void;
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

export interface MetricsOptions {
  /** Whether to add CPU, memory, event loop delay and garbage collection. They are observed until the process ends. Default: true. */
  readonly ofProcess?: boolean;
}

/** Creates a registry with the metrics of the process and its build. */
export function createMetrics(build?: Build, { ofProcess = true }: MetricsOptions = {}): Metrics {
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

export interface RedOptions<Name extends string> {
  readonly labels?: LabelDefinition<Name>;
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
export function createRedMetrics<Name extends string = never>(
  registry: MetricsRegistry,
  name: RequestMetricsName,
  { labels = {} as LabelDefinition<Name>, outcomes }: RedOptions<Name>,
): RedMetrics<Name> {
  const counted = { ...labels, outcome: outcomes } as LabelDefinition<Name | "outcome">;
  const requests = createCounter<Name | "outcome">(registry, `${name}_requests_total`, counted);
  const duration = createHistogram<Name>(registry, `${name}_duration_seconds`, labels);
  return {
    record: (request) => {
      requests.add({ ...request.labels, outcome: request.outcome });
      duration.observe(request.labels, request.durationMs / 1_000);
    },
  };
}
