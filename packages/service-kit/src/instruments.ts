import { Counter, Gauge, Histogram } from "prom-client";
import { boundLabels, type LabelDefinition, type Labels } from "./bounded-labels.ts";
import type { MetricsRegistry } from "./metrics.ts";

export interface InstrumentOptions<Name extends string> {
  /** With its unit or `_total` at the end: https://prometheus.io/docs/practices/naming/ */
  readonly name: string;
  readonly help: string;
  readonly labels: LabelDefinition<Name>;
}

export interface CounterInstrument<Name extends string> {
  readonly add: (labels: Labels<Name>, by?: number) => void;
}

/** Makes a number that only grows. */
export function createCounter<Name extends string>(
  registry: MetricsRegistry,
  { labels, ...options }: InstrumentOptions<Name>,
): CounterInstrument<Name> {
  const bound = boundLabels(labels);
  const counter = new Counter({ ...options, labelNames: Object.keys(labels) as Name[], registers: [registry] });
  return { add: (given, by = 1) => counter.inc(bound(given), by) };
}

export interface HistogramInstrument<Name extends string> {
  readonly observe: (labels: Labels<Name>, value: number) => void;
}

/** From half a millisecond to a minute: an in-process call and a language model both fall inside. In seconds. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Makes a distribution. The default buckets suit durations in seconds. */
export function createHistogram<Name extends string>(
  registry: MetricsRegistry,
  { labels, buckets = durationBuckets, ...options }: InstrumentOptions<Name> & { readonly buckets?: number[] },
): HistogramInstrument<Name> {
  const bound = boundLabels(labels);
  const labelNames = Object.keys(labels) as Name[];
  const histogram = new Histogram({ ...options, buckets, labelNames, registers: [registry] });
  return { observe: (given, value) => histogram.observe(bound(given), value) };
}

export interface GaugeReading<Name extends string> {
  readonly labels: Labels<Name>;
  readonly value: number;
}

/**
 * Makes a number that goes up and down, read at each scrape. What `read` does not give any more is gone from the answer;
 * when it throws, the gauge has no value at that scrape and the other metrics are not touched.
 */
export function createGauge<Name extends string>(
  registry: MetricsRegistry,
  {
    labels,
    read,
    ...options
  }: InstrumentOptions<Name> & {
    readonly read: () => readonly GaugeReading<Name>[] | Promise<readonly GaugeReading<Name>[]>;
  },
): void {
  const bound = boundLabels(labels);
  const gauge: Gauge<Name> = new Gauge({
    ...options,
    labelNames: Object.keys(labels) as Name[],
    registers: [registry],
    async collect(): Promise<void> {
      const readings = await Promise.resolve()
        .then(read)
        .catch(() => []);
      gauge.reset();
      for (const reading of readings) gauge.set(bound(reading.labels), reading.value);
    },
  });
}
