import { AsyncLocalStorage } from "node:async_hooks";

/** https://opentelemetry.io/docs/specs/otel/trace/api/#spankind */
export type SpanKind = "client" | "consumer" | "internal" | "server";

/** Ids, names and numbers; what a message says only where the operator asked for it. Undefined members are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SpanOptions {
  readonly kind: SpanKind;
  /** Of the span that this one belongs to; the one in whose `run` it is started when absent. */
  readonly traceparent?: string | undefined;
  readonly attributes?: SpanAttributes;
}

export interface SpanEnd {
  /** Another name, where only the end tells it. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  /** What kind of error the work ended with. https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/ */
  readonly error?: string | undefined;
}

/** A piece of work that is measured. */
export interface Span {
  /** Goes along with whatever this work asks of others; what came in, when nothing is recorded here. */
  readonly traceparent: string | undefined;
  readonly set: (attributes: SpanAttributes) => void;
  /** Does work whose spans belong to this one. */
  readonly run: <Result>(work: () => Result) => Result;
  /** Once; what comes later is lost. */
  readonly end: (end?: SpanEnd) => void;
}

export interface Tracer {
  /** Whether spans go anywhere. Without it they only pass a `traceparent` on. */
  readonly recording: boolean;
  readonly start: (name: string, options: SpanOptions) => Span;
  /** The span in whose `run` this is called. */
  readonly current: () => Span | undefined;
}

/** What becomes of a span where tracing is on. */
export interface RecordedSpan extends Pick<Span, "set" | "end"> {
  readonly traceparent: string;
}

/** Records a span that begins now. */
export type RecordSpan = (name: string, options: SpanOptions) => RecordedSpan;

/**
 * Makes the tracer of a process. Without `record` tracing is off: a span is then no more than the `traceparent` that came in, and
 * where none came in it is the same empty one for everybody.
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
