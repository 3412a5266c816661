/** Undefined members are omitted. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The span of one call. */
export interface CallSpan {
  /** Passed on with the call's requests. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent: string | undefined;
  readonly end: (end?: { readonly attributes?: SpanAttributes; readonly error?: string | undefined }) => void;
}

export interface CallSpanOptions {
  readonly kind: "client" | "internal";
  /** Of the parent span. */
  readonly traceparent: string | undefined;
  readonly attributes: SpanAttributes;
}

/** Records the calls of models and tools. */
export interface CallTracer {
  /** Starts the span of a call. */
  readonly start: (name: string, options: CallSpanOptions) => CallSpan;
  /** Whether spans contain shortened prompts, answers, arguments and results. Off unless configured. */
  readonly capturesContent: boolean;
}

/** The tracer of one turn. Its spans are children of the turn's span. */
export interface TurnTracer {
  readonly tracer: CallTracer;
  readonly traceparent: string | undefined;
}

/** Records nothing and passes the incoming trace on. */
export const noTracer: CallTracer = {
  start: (_name, { traceparent }) => ({ traceparent, end: () => undefined }),
  capturesContent: false,
};
