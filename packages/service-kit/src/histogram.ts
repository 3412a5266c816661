import type { Metric } from "prom-client";
import type { Labels } from "./bounded-labels.ts";
import type { InstrumentOptions } from "./instruments.ts";
import type { MetricsRegistry } from "./metrics.ts";
import { createSeries } from "./series.ts";

export interface HistogramInstrument<Name extends string> {
  /** Throws a `TypeError` for a value that is not a finite number. */
  readonly observe: (labels: Labels<Name>, value: number) => void;
}

/** From half a millisecond to a minute, for in-process calls and language models. In seconds. */
const durationBuckets: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/**
 * Creates a histogram. The default buckets suit durations in seconds. Values are counted here and only rendered by the library, which looks
 * up every series by a text of its labels. https://prometheus.io/docs/instrumenting/exposition_formats/#histograms-and-summaries
 */
export function createHistogram<Name extends string>(
  registry: MetricsRegistry,
  options: InstrumentOptions<Name> & { readonly buckets?: readonly number[] },
): HistogramInstrument<Name> {
  const { name, help, labels, buckets = durationBuckets } = options;
  const series = createSeries(labels, () => ({ within: buckets.map(() => 0), count: 0, sum: 0 }));

  const shown = ({ labels: own, value: { within, count, sum } }: ReturnType<typeof series.all>[number]): object[] => {
    let below = 0;
    const bucket = (le: number | string, value: number): object => ({
      metricName: `${name}_bucket`,
      labels: { le, ...own },
      value,
    });
    return [
      ...buckets.map((le, index) => bucket(le, (below += within[index] ?? 0))),
      bucket("+Inf", count),
      { metricName: `${name}_sum`, labels: own, value: sum },
      { metricName: `${name}_count`, labels: own, value: count },
    ];
  };
  const type = "histogram";
  const metric = { name, type, get: async () => ({ name, help, type, values: series.all().flatMap(shown) }) };
  registry.registerMetric(metric as unknown as Metric);

  return {
    observe: (given, observed) => {
      if (!Number.isFinite(observed)) throw new TypeError(`a histogram can't observe ${observed}`);
      const of = series.of(given);
      const bucket = buckets.findIndex((le) => observed <= le);
      if (bucket >= 0) of.within[bucket] = (of.within[bucket] ?? 0) + 1;
      of.count += 1;
      of.sum += observed;
    },
  };
}
