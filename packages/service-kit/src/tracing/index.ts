/** Tracing by OpenTelemetry: https://opentelemetry.io/docs/specs/otel/trace/ */
export { startTracing, type Tracing } from "./start-tracing.ts";
export { createTracer, inSpan, readTraceparent } from "./tracer.ts";
export type { RecordedSpan, Span, SpanAttributes, SpanEnd, SpanError, SpanOptions, Tracer } from "./tracer.ts";
export { tracingVariables, tracesEndpoint, type TracingConfig } from "./start-tracing.ts";
