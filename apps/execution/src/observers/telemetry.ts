import type { Logger, Metrics } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";

/** The log and the metrics that observers write to. */
export interface Telemetry {
  readonly logger: Logger<ExecutionEvent>;
  readonly metrics: Metrics;
}
