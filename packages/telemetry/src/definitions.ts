/** Which zone reports it. */
export type Zone = "verification" | "execution" | "both";

export type MetricType = "counter" | "gauge" | "histogram";

/** A metric as Prometheus reads it. Its name is the key of its list: https://prometheus.io/docs/practices/naming/ */
export interface MetricDefinition<Type extends MetricType = MetricType> {
  readonly zone: Zone;
  readonly type: Type;
  /** What it measures, and what to do about it. Also the metric's help text. */
  readonly help: string;
  /** Upper limits of a histogram's buckets; those for durations in seconds when absent. */
  readonly buckets?: readonly number[];
}

export type EventLevel = "debug" | "info" | "warn" | "error";

/** A log event. Its name is the key of its list, and the member `event` of a line. */
export interface EventDefinition {
  /** The usual level; `means` names an exception. */
  readonly level: EventLevel;
  /** Returns the level of one event, where that depends on its fields. */
  readonly levelOf?: (fields: never) => EventLevel;
  readonly means: string;
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

/** Makes the definitions of one zone's metrics. */
export function metricsOf(zone: Zone) {
  const define =
    <Type extends MetricType>(type: Type) =>
    (help: string, buckets?: readonly number[]): MetricDefinition<Type> => ({ zone, type, help, buckets });
  return { counter: define("counter"), gauge: define("gauge"), histogram: define("histogram") };
}
