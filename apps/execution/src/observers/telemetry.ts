import type { Logger, Metrics } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";

/** Where events are logged and measured. */
export interface Telemetry {
  readonly logger: Logger<ExecutionEvent>;
  readonly metrics: Metrics;
}
