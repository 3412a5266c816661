import type { LogFields, Logger, Metrics } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";

/** Where events are logged and measured. */
export interface Telemetry {
  readonly logger: Logger<ExecutionEvent>;
  readonly metrics: Metrics;
}

/** Returns an event's fields as they are logged: of a `traceparent` the trace's id, and whole milliseconds, or microseconds below ten. */
export function loggedFields({ traceparent, duration_ms: durationMs, ...fields }: LogFields): LogFields {
  return {
    ...fields,
    ...(typeof durationMs === "number" && { duration_ms: Number(durationMs.toFixed(durationMs < 10 ? 3 : 0)) }),
    ...(typeof traceparent === "string" && traceFields(traceparent)),
  };
}
