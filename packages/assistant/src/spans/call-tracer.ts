/** Undefined members are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** One call that is measured. */
export interface CallSpan {
  /** Goes along with what the call asks of others. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent: string | undefined;
  readonly end: (end?: { readonly attributes?: SpanAttributes; readonly error?: string | undefined }) => void;
}

export interface CallSpanOptions {
  readonly kind: "client" | "internal";
  /** Of the span that this one belongs to. */
  readonly traceparent: string | undefined;
  readonly attributes: SpanAttributes;
}

/** Records the calls of models and tools. */
export interface CallTracer {
  /** Begins the span of a call. */
  readonly start: (name: string, options: CallSpanOptions) => CallSpan;
  /** Whether spans hold prompts, answers, arguments and results, cut short. They never do unless it is asked for. */
  readonly capturesContent: boolean;
}

/** The tracer of one turn, whose spans belong to the span of the turn. */
export interface TurnTracer {
  readonly tracer: CallTracer;
  readonly traceparent: string | undefined;
}

/** Records nothing, and passes on the trace that came in. */
export const noTracer: CallTracer = {
  start: (_name, { traceparent }) => ({ traceparent, end: () => undefined }),
  capturesContent: false,
};
