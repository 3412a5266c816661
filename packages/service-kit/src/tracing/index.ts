/** Tracing by OpenTelemetry: https://opentelemetry.io/docs/specs/otel/trace/ */
export { inSpan, type SpanError } from "./tracer.ts";
export { startTracing, type Tracing } from "./start-tracing.ts";
export { readTraceparent } from "./tracer.ts";
export { createTracer, type RecordedSpan, type Span, type SpanAttributes, type SpanEnd } from "./tracer.ts";
export type { SpanOptions, Tracer } from "./tracer.ts";
export { tracingVariables, tracesEndpoint, type TracingConfig } from "./tracing-variables.ts";
