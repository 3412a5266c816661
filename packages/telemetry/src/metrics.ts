import { metricsOf, type MetricDefinition, type MetricType } from "./definitions.ts";
import { executionMetrics } from "./execution-metrics.ts";
import { verificationMetrics } from "./verification-metrics.ts";

const { counter, gauge } = metricsOf("both");

/** Every metric of the zones. No label contains a value that a sender chose. */
export const metrics = {
  ...verificationMetrics,
  ...executionMetrics,
  rows_purged_total: counter("Rows deleted after their retention, by table"),
  http_requests_refused_total: counter(
    "Requests that the HTTP server refused, by reason: no token, too large, too slow, not HTTP",
  ),
  crosszone_build_info: gauge("The running version; always 1"),
} satisfies Record<string, MetricDefinition>;

/** The name of a metric of this type. */
export type MetricName<Type extends MetricType = MetricType> = {
  [Name in keyof typeof metrics]: (typeof metrics)[Name] extends MetricDefinition<Type> ? Name : never;
}[keyof typeof metrics];

/** The start of two names: `rpc` for `rpc_requests_total` and `rpc_duration_seconds`. */
export type RequestMetricsName = StartOf<MetricName<"counter">, "_requests_total"> &
  StartOf<MetricName<"histogram">, "_duration_seconds">;

type StartOf<Name extends string, End extends string> = Name extends `${infer Start}${End}` ? Start : never;
