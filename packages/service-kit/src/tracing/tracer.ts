import { AsyncLocalStorage } from "node:async_hooks";

/** https://opentelemetry.io/docs/specs/otel/trace/api/#spankind */
export type SpanKind = "client" | "consumer" | "internal" | "server";

/** Ids, names and numbers; message content only if the operator enables it. Undefined members are omitted. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SpanOptions {
  readonly kind: SpanKind;
  /** The parent span. Default: the span in whose `run` this one is started. */
  readonly traceparent?: string | undefined;
  readonly attributes?: SpanAttributes;
}

export interface SpanEnd {
  /** A new name, if it is only known at the end. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  /** The error kind, if the work failed. https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/ */
  readonly error?: string | undefined;
}

/** A measured operation. */
export interface Span {
  /** The trace context to send with outgoing requests. Equal to the incoming one if nothing is recorded. */
  readonly traceparent: string | undefined;
  readonly set: (attributes: SpanAttributes) => void;
  /** Runs work whose spans become children of this one. */
  readonly run: <Result>(work: () => Result) => Result;
  /** Ends the span once; later calls have no effect. */
  readonly end: (end?: SpanEnd) => void;
}

export interface Tracer {
  /** Whether spans are recorded. Otherwise they only pass on a `traceparent`. */
  readonly recording: boolean;
  readonly start: (name: string, options: SpanOptions) => Span;
  /** Returns the span in whose `run` this is called. */
  readonly current: () => Span | undefined;
}

/** A span that is recorded. */
export interface RecordedSpan extends Pick<Span, "set" | "end"> {
  readonly traceparent: string;
}

/** Starts to record a span. */
export type RecordSpan = (name: string, options: SpanOptions) => RecordedSpan;

/**
 * Creates the tracer of a process. Without `record`, tracing is off: a span only carries the incoming `traceparent`, and all spans without
 * one share one empty object.
 */
export function createTracer(record?: RecordSpan): Tracer {
  const running = new AsyncLocalStorage<Span>();
  return {
    recording: record !== undefined,
    start: (name, options) => {
      const traceparent = options.traceparent ?? running.getStore()?.traceparent;
      if (record !== undefined) return under(record(name, { ...options, traceparent }));
      return traceparent === undefined ? nothing : under({ traceparent, set: ignore, end: ignore });
    },
    current: () => running.getStore(),
  };

  function under(recorded: RecordedSpan): Span {
    const span: Span = { ...recorded, run: (work) => running.run(span, work) };
    return span;
  }
}

const ignore = (): void => undefined;
const nothing: Span = { traceparent: undefined, set: ignore, run: (work) => work(), end: ignore };
