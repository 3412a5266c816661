import { type MetricDefinition, type MetricType, metricsOf, ticket } from "./definitions.ts";
import { executionMetrics } from "./execution-metrics.ts";
import { verificationMetrics } from "./verification-metrics.ts";

const http = metricsOf("both", "Processes");
const jobs = metricsOf("both", "Jobs");

// Kinds and their outcomes are words of the code.
const [kind, outcome] = [["@any"], ["@any"]] as const;

const processMetrics = {
  event_loop_turn_seconds: http.gauge(
    "Time that turns of the event loop took since the last scrape, without waiting, by quantile; a turn delays every other request",
    {
      labels: { quantile: ["0.5", "0.99", "1"] },
      alert: ticket("EventLoopTurnsLong", {
        expr: 'max by (instance) (event_loop_turn_seconds{quantile="0.99"}) > 0.25',
        for: "5m",
        summary: "Turns of the event loop of {{ $labels.instance }} take more than a quarter of a second",
        runbook: "operations.md#metrics",
      }),
    },
  ),
  http_accept_queue_connections: http.gauge(
    "Connections that waited until the process accepted them, the most in a sample since the last scrape; Linux only",
    {
      alert: ticket("ConnectionsNotAccepted", {
        expr: "min_over_time(http_accept_queue_connections[5m]) > 100",
        for: "5m",
        summary: "More connections arrive than {{ $labels.instance }} accepts",
        runbook: "operations.md#metrics",
      }),
    },
  ),
  gauge_age_seconds: http.gauge(
    "Age of the last values of a gauge that asks a database or Kafka; above 0, it does not answer within 0.8 s",
    {
      labels: { gauge: ["@any"] },
      alert: ticket("GaugeOld", {
        expr: "max by (instance, gauge) (gauge_age_seconds) > 60",
        for: "5m",
        summary: "{{ $labels.gauge }} of {{ $labels.instance }} shows an old value: what it measures does not answer",
        runbook: "operations.md#metrics",
      }),
    },
  ),
  certificate_seconds_left: http.gauge(
    "Time until a certificate in use ends, by the variable that names its file; negative after that",
    {
      labels: { certificate: ["@any"] },
      alert: ticket("CertificateEnds", {
        expr: "min by (certificate) (certificate_seconds_left) < 14 * 86400",
        for: "10m",
        summary: "The certificate in {{ $labels.certificate }} has ended, or ends within 14 days: renew the file",
        runbook: "operations.md#certificates",
      }),
    },
  ),
  settings_not_in_force: http.gauge(
    "Sections of the settings whose last edit can't be used; 0 when every edit applies",
    {
      alert: ticket("SettingsNotInForce", {
        expr: "max by (instance) (settings_not_in_force) > 0",
        for: "5m",
        summary:
          "An edit of the settings of {{ $labels.instance }} can't be used: the log event settings_not_usable says why",
        runbook: "operations.md#settings",
      }),
    },
  ),
  rows_purged_total: http.counter("Rows deleted after their retention, by table", { labels: { table: ["@any"] } }),
  http_requests_refused_total: http.counter(
    "Requests that the HTTP server refused, by reason: no token, too large, too slow, not HTTP",
    { labels: { reason: ["@http_refusal"] } },
  ),
  job_attempts_total: jobs.counter(
    "Attempts at jobs by kind and outcome: how the job ended, `released`, `parked`, or why the process stopped work on it",
    { labels: { kind, outcome } },
  ),
  job_attempt_duration_seconds: jobs.histogram("Duration of attempts at jobs by kind", { labels: { kind } }),
  crosszone_build_info: http.gauge("The running version; always 1", {
    labels: { zone: ["@any"], version: ["@any"] },
    perProcess: true,
  }),
} satisfies Record<string, MetricDefinition>;

/** Every metric of the zones. No label contains a value that a sender chose. */
export const metrics = { ...verificationMetrics, ...executionMetrics, ...processMetrics } satisfies Record<
  string,
  MetricDefinition
>;

type Metrics = typeof metrics;

export type MetricName<Type extends MetricType = MetricType> = {
  [Name in keyof Metrics]: Metrics[Name] extends MetricDefinition<Type> ? Name : never;
}[keyof Metrics];

export type MetricLabels<Name extends MetricName> = Readonly<Record<keyof Metrics[Name]["labels"], string>>;

/** The start of two names: `rpc` for `rpc_requests_total` and `rpc_duration_seconds`. */
export type RequestMetricsName = StartOf<MetricName<"counter">, "_requests_total"> &
  StartOf<MetricName<"histogram">, "_duration_seconds">;

type StartOf<Name extends string, End extends string> = Name extends `${infer Start}${End}` ? Start : never;
