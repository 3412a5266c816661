import { Counter, Gauge } from "prom-client";
import { boundLabels, type LabelDefinition, type Labels } from "./bounded-labels.ts";
import type { MetricsRegistry } from "./metrics.ts";
import { createSeries } from "./series.ts";

export interface InstrumentOptions<Name extends string> {
  /** Ends with its unit or `_total`: https://prometheus.io/docs/practices/naming/ */
  readonly name: string;
  readonly help: string;
  readonly labels: LabelDefinition<Name>;
}

export interface CounterInstrument<Name extends string> {
  /** Throws a `TypeError` for a negative or invalid number. */
  readonly add: (labels: Labels<Name>, by?: number) => void;
}

/** Creates a counter. Without labels it starts at 0. */
export function createCounter<Name extends string>(
  registry: MetricsRegistry,
  { labels, ...options }: InstrumentOptions<Name>,
): CounterInstrument<Name> {
  const series = createSeries(labels, () => ({ count: 0 }));
  const counter: Counter<Name> = new Counter({
    ...options,
    labelNames: Object.keys(labels) as Name[],
    registers: [registry],
    collect(): void {
      counter.reset();
      for (const { labels: of, value } of series.all()) counter.inc(of, value.count);
    },
  });
  return {
    add: (given, by = 1) => {
      if (!(by >= 0 && by < Infinity)) throw new TypeError(`a counter cannot grow by ${by}`);
      series.of(given).count += by;
    },
  };
}

export interface GaugeReading<Name extends string> {
  readonly labels: Labels<Name>;
  readonly value: number;
}

/**
 * Creates a gauge that is read at each scrape. A series that `read` no longer returns disappears. If `read` throws, the gauge has no value
 * at that scrape and other metrics are unaffected. Values with the same labels, such as `other`, are summed.
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
      for (const reading of readings) gauge.inc(bound(reading.labels), reading.value);
    },
  });
}
