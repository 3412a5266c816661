import type { LogFields, Logger, Metrics } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";

/** Where events are logged and measured. */
export interface Telemetry {
  readonly logger: Logger<ExecutionEvent>;
  readonly metrics: Metrics;
}

/** Returns an event's fields as they are logged: of a `traceparent` the trace's id, and whole milliseconds, or microseconds below ten. */
export function loggedFields(fields: LogFields): LogFields {
  const { traceparent, duration_ms: durationMs } = fields;
  const logged: LogFields = { ...fields, traceparent: undefined };
  if (typeof durationMs === "number") {
    const digits = durationMs < 10 ? 1_000 : 1;
    Object.assign(logged, { duration_ms: Math.round(durationMs * digits) / digits });
  }
  return typeof traceparent === "string" ? Object.assign(logged, traceFields(traceparent)) : logged;
}
