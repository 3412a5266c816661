import { type MetricDefinition, type MetricName, metrics } from "@crosszone/telemetry";
import { Counter, Gauge, type Metric, type Registry } from "prom-client";
import { sharedRun, withTimeout } from "../values/timing.ts";

/** Holds the instruments of one app. */
export type MetricsRegistry = Registry;

/** Replaces every label value that is not allowed. */
const otherLabel = "other";

/**
 * The allowed values of a label: a list, or a predicate for a changing set, such as the registered agents. Each distinct label value is a
 * permanent time series: https://prometheus.io/docs/practices/naming/#labels
 */
export type LabelValues = readonly string[] | ((value: string) => boolean);

export type LabelDefinition<Name extends string> = Readonly<Record<Name, LabelValues>>;

export type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** Limit of distinct values that a predicate can allow; further ones become `other`. */
const mostValues = 200;

/** Returns a function that replaces label values that are not allowed with `other`. */
function boundLabels<Name extends string>(definition: LabelDefinition<Name>): (labels: Labels<Name>) => Labels<Name> {
  const bounds = Object.entries<LabelValues>(definition).map(([name, values]) => [name, boundValue(values)] as const);
  return (labels) => {
    const given = labels as Readonly<Record<string, string>>;
    const bounded: Record<string, string> = {};
    for (const [name, bound] of bounds) bounded[name] = bound(given[name]);
    return bounded as Labels<Name>;
  };
}

function boundValue(values: LabelValues): (value: string | undefined) => string {
  if (typeof values !== "function") {
    const allowed = new Set(values);
    return (value) => (value !== undefined && allowed.has(value) ? value : otherLabel);
  }
  const used = new Set<string>();
  return (value) => {
    if (value === undefined || !values(value)) return otherLabel;
    if (used.size < mostValues) used.add(value);
    return used.has(value) ? value : otherLabel;
  };
}

/** A level of the label tree: further labels, or the value. */
interface Branch<Value> {
  readonly next: Map<string, Branch<Value>>;
  value?: Value;
}

/**
 * The series of one metric: a value for each used combination of labels. Stores them in nested maps, one level for each label. Each request looks up several series; joining their labels into a key each time
 * would cost more than counting.
 */
function createSeries<Name extends string, Value>(definition: LabelDefinition<Name>, make: () => Value) {
  const names = Object.keys(definition) as Name[];
  const bound = boundLabels(definition);
  const all: { labels: Labels<Name>; value: Value }[] = [];
  const root: Branch<Value> = { next: new Map() };

  function find(labels: Labels<Name>): Value | undefined {
    let branch: Branch<Value> | undefined = root;
    for (const name of names) branch = branch?.next.get(labels[name]);
    return branch?.value;
  }

  function add(labels: Labels<Name>): Value {
    let branch = root;
    for (const name of names) branch = branch.next.getOrInsertComputed(labels[name], () => ({ next: new Map() }));
    const value = make();
    branch.value = value;
    all.push({ labels, value });
    return value;
  }

  return {
    /** Returns the value of these labels, creating it on first use. A label value that is not allowed counts as `other`. */
    of: (given: Labels<Name>): Value => {
      const known = find(given);
      if (known !== undefined) return known;
      const labels = bound(given);
      return find(labels) ?? add(labels);
    },
    all: () => all as readonly { readonly labels: Labels<Name>; readonly value: Value }[],
  };
}

/**
 * Creates a counter of the list in `@crosszone/telemetry`, which has its help text. Without labels it starts at 0. `add` throws a `TypeError`
 * for a negative or invalid number.
 */
export function createCounter<Name extends string = never>(
  registry: MetricsRegistry,
  name: MetricName<"counter">,
  labels: LabelDefinition<Name> = {} as LabelDefinition<Name>,
): { readonly add: (labels: Labels<Name>, by?: number) => void } {
  const series = createSeries(labels, () => ({ count: 0 }));
  const counter: Counter<Name> = new Counter({
    name,
    help: metrics[name].help,
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

/** A reading for each series. */
type Readings<Name extends string> = readonly { readonly labels: Labels<Name>; readonly value: number }[];

interface LabeledReads<Name extends string> {
  readonly labels: LabelDefinition<Name>;
  readonly read: () => Readings<Name> | Promise<Readings<Name>>;
}

/** How long a scrape waits for the values of a gauge, milliseconds: a metric must not wait for what it measures. */
const mostWaitMs = 800;

/** Reads a gauge's values in time: the last ones while what is measured fails or is silent. A read that is under way is not repeated. */
function createReading<Name extends string>(read: LabeledReads<Name>["read"]) {
  let last: Readings<Name> = [];
  let readAt = performance.now();
  let isRemote = false;
  const readNow = sharedRun(async () => {
    const reading = read();
    isRemote ||= reading instanceof Promise;
    last = await reading;
    readAt = performance.now();
  });
  return {
    take: sharedRun(async () => {
      await withTimeout(mostWaitMs, readNow).catch(() => undefined);
      return last;
    }),
    /** Whole seconds since the last values were read; undefined for a gauge that waits for nothing. */
    age: () => (isRemote ? Math.floor((performance.now() - readAt) / 1_000) : undefined),
  };
}

/** The gauges of each registry by name, for their ages. */
const gaugesOf = new WeakMap<MetricsRegistry, Map<string, ReturnType<typeof createReading>>>();

/**
 * Creates a gauge that is read at each scrape: one number, or a value for each series. A series that `read` no longer returns disappears. If
 * `read` throws or does not answer, the gauge has its last values, and `gauge_age_seconds` says how old they are. Values with the same labels,
 * such as `other`, are summed.
 */
export function createGauge<Name extends string = never>(
  registry: MetricsRegistry,
  name: MetricName<"gauge">,
  reads: LabeledReads<Name> | (() => number | Promise<number>),
): void {
  const { labels, read } = typeof reads === "object" ? reads : readingsOf<Name>(reads);
  const bound = boundLabels(labels);
  const reading = createReading(read);
  gaugesOf.getOrInsertComputed(registry, () => new Map()).set(name, reading);
  const gauge: Gauge<Name> = new Gauge({
    name,
    help: metrics[name].help,
    labelNames: Object.keys(labels) as Name[],
    registers: [registry],
    async collect(): Promise<void> {
      const readings = await reading.take();
      gauge.reset();
      for (const { labels: own, value } of readings) gauge.inc(bound(own), value);
    },
  });
}

/** Adds the ages of the values of all gauges that ask a database or another service. */
export function addGaugeAges(registry: MetricsRegistry): void {
  const name = "gauge_age_seconds";
  const ages: Gauge = new Gauge({
    name,
    help: metrics[name].help,
    labelNames: ["gauge"],
    registers: [registry],
    async collect(): Promise<void> {
      const gauges = [...(gaugesOf.get(registry) ?? [])];
      await Promise.all(gauges.map(([, { take }]) => take()));
      for (const [gauge, { age }] of gauges) {
        const seconds = age();
        if (seconds !== undefined) ages.set({ gauge }, seconds);
      }
    },
  });
}

const readingsOf = <Name extends string>(read: () => number | Promise<number>): LabeledReads<Name> => {
  const labels = {} as LabelDefinition<Name> & Labels<Name>;
  const asReadings = (value: number): Readings<Name> => [{ labels, value }];
  return {
    labels,
    read: () => {
      const value = read();
      return value instanceof Promise ? value.then(asReadings) : asReadings(value);
    },
  };
};

/** From half a millisecond to a minute, for in-process calls and language models. In seconds. */
const durationBuckets: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/**
 * Creates a histogram. The buckets suit durations in seconds, unless the list has others. Values are counted here and only rendered by the library, which looks
 * up every series by a text of its labels. https://prometheus.io/docs/instrumenting/exposition_formats/#histograms-and-summaries
 * `observe` throws a `TypeError` for a value that is not a finite number.
 */
export function createHistogram<Name extends string = never>(
  registry: MetricsRegistry,
  name: MetricName<"histogram">,
  labels: LabelDefinition<Name> = {} as LabelDefinition<Name>,
): { readonly observe: (labels: Labels<Name>, value: number) => void } {
  const { help, type, buckets = durationBuckets }: MetricDefinition<"histogram"> = metrics[name];
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
