/** Which zone reports it. */
export type Zone = "verification" | "execution" | "both";

export type MetricType = "counter" | "gauge" | "histogram";

/**
 * The values that a label can have. A value that begins with `@` names a set that the app defines, such as `@zone_method`; `@any` allows
 * every value, for labels that something else bounds. All other values become `other`: each one is a permanent time series.
 */
type LabelRows = Readonly<Record<string, readonly string[]>>;

interface AlertRule {
  /** PromQL. */
  readonly expr: string;
  /** How long the expression must hold, such as `5m`. */
  readonly for: string;
  readonly summary: string;
  /** The section of `docs/` that says what to do. */
  readonly runbook: string;
}

/** A Prometheus alert: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ */
interface AlertDefinition extends AlertRule {
  readonly name: string;
  /** `page` needs a person now; `ticket` within a day. */
  readonly severity: "page" | "ticket";
}

const alertOf =
  (severity: AlertDefinition["severity"]) =>
  (name: string, rule: AlertRule): AlertDefinition => ({ name, severity, ...rule });

/** Make the alerts of metrics, by their severity. */
export const pageAlert = alertOf("page");
export const ticket = alertOf("ticket");

/** A metric as Prometheus reads it. Its name is the key of its list: https://prometheus.io/docs/practices/naming/ */
export interface MetricDefinition<Type extends MetricType = MetricType, Labels extends LabelRows = LabelRows> {
  readonly zone: Zone;
  /** Its row of the dashboard. */
  readonly subject: string;
  readonly type: Type;
  /** What it measures, and what to do about it. Also the metric's help text. */
  readonly help: string;
  readonly labels: Labels;
  /** Upper limits of a histogram's buckets; those for durations in seconds when absent. */
  readonly buckets?: readonly number[];
  /** Whether a gauge is a part of each process, so that the dashboard adds them up. */
  readonly perProcess: boolean;
  readonly alert?: AlertDefinition;
}

interface MetricOptions<Labels extends LabelRows> {
  readonly labels?: Labels;
  readonly buckets?: readonly number[];
  readonly perProcess?: boolean;
  readonly alert?: AlertDefinition;
}

/** Makes the definitions of one zone's metrics of one subject. */
export function metricsOf(zone: Zone, subject: string) {
  const define =
    <Type extends MetricType>(type: Type) =>
    <const Labels extends LabelRows = {}>(
      help: string,
      { labels = {} as Labels, buckets, perProcess = false, alert }: MetricOptions<Labels> = {},
    ): MetricDefinition<Type, Labels> => ({ zone, subject, type, help, labels, buckets, perProcess, alert });
  return { counter: define("counter"), gauge: define("gauge"), histogram: define("histogram") };
}
