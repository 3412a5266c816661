import { createCounter, createHistogram, type InstrumentOptions } from "./instruments.ts";
import type { MetricsRegistry } from "./registry.ts";
import type { Labels, LabelValues } from "./series.ts";

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
