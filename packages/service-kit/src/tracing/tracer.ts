import { AsyncLocalStorage } from "node:async_hooks";

/** https://opentelemetry.io/docs/specs/otel/trace/api/#spankind */
type SpanKind = "client" | "consumer" | "internal" | "server";

/** Ids, names and numbers; message content only if the operator enables it. Undefined members are omitted. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SpanOptions {
  readonly kind: SpanKind;
  /** The parent span. Default: the span in whose `run` this one is started. */
  readonly traceparent?: string;
  readonly attributes?: SpanAttributes;
}

export interface SpanEnd {
  /** A new name, if it is only known at the end. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  /** The error kind, if the work failed. https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/ */
  readonly error?: string;
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

export interface RecordedSpan {
  readonly traceparent: string;
  readonly set: Span["set"];
  readonly end: Span["end"];
}

/**
 * Creates the tracer of a process. Without `record`, tracing is off: a span only carries the incoming `traceparent`, and all spans without
 * one share one empty object.
 */
export function createTracer(record?: (name: string, options: SpanOptions) => RecordedSpan) {
  const running = new AsyncLocalStorage<Span>();
  return {
    /** Whether spans are recorded. Otherwise they only pass on a `traceparent`. */
    recording: record !== undefined,
    start: (name: string, options: SpanOptions): Span => {
      const traceparent = options.traceparent ?? running.getStore()?.traceparent;
      if (record !== undefined) return under(record(name, { ...options, traceparent }));
      return traceparent === undefined ? nothing : under({ traceparent, set: ignore, end: ignore });
    },
    /** Returns the span in whose `run` this is called. */
    current: (): Span | undefined => running.getStore(),
  };

  function under(recorded: RecordedSpan): Span {
    const span: Span = { ...recorded, run: (work) => running.run(span, work) };
    return span;
  }
}

export type Tracer = ReturnType<typeof createTracer>;

const ignore = (): void => undefined;
const nothing: Span = { traceparent: undefined, set: ignore, run: (work) => work(), end: ignore };

/** The recorded part of an error. */
export interface SpanError {
  readonly kind: string;
  readonly attributes?: SpanAttributes;
}

/** Runs work inside a span that ends with it. `errorOf` names the error; its text is not recorded. */
export async function inSpan<Result>(
  span: Span,
  work: () => Promise<Result>,
  errorOf: (error: unknown) => SpanError,
): Promise<Result> {
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    const { kind, attributes } = errorOf(error);
    span.end({ error: kind, attributes });
    throw error;
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Longer than any supported version needs. */
const longest = 256;

/**
 * Returns a valid `traceparent` header. Undefined when it is missing, repeated or invalid; then a new trace begins. A later version is read
 * as far as its format is known. https://www.w3.org/TR/trace-context/#versioning-of-traceparent
 */
export function readTraceparent(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== "string" || header.length > longest) return undefined;
  const [, version, traceId, parentId, flags, more] = form.exec(header) ?? [];
  if (version === undefined || flags === undefined) return undefined;
  if (version === "00") return more === undefined ? header : undefined;
  return `00-${traceId}-${parentId}-${Number.parseInt(flags, 16) & 1 ? "01" : "00"}`;
}
