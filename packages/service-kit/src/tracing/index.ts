/** Tracing by OpenTelemetry: https://opentelemetry.io/docs/specs/otel/trace/ */
export { inSpan, type SpanError } from "./tracer.ts";
export { startTracing, type Tracing, type TracingOptions } from "./start-tracing.ts";
export { readTraceparent } from "./tracer.ts";
export {
  createTracer,
  type RecordedSpan,
  type RecordSpan,
  type Span,
  type SpanAttributes,
  type SpanEnd,
  type SpanKind,
  type SpanOptions,
  type Tracer,
} from "./tracer.ts";
export {
  tracingVariables,
  tracesEndpoint,
  tracingProblems,
  type TracingConfig,
  type TracingVariables,
} from "./tracing-variables.ts";
