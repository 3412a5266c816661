import { createTracer, type SpanEnd, type SpanOptions, type Tracer } from "@crosszone/service-kit/tracing";

/** A span, with the `traceparent` of its parent. */
export interface RecordedSpan extends SpanOptions {
  name: string;
  /** Its own `traceparent`. */
  own: string;
  traceparent: string | undefined;
  ended?: SpanEnd;
}

/** A tracer that records its spans in memory, in starting order. */
export function recordSpans(): { tracer: Tracer; spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const tracer = createTracer((name, options) => {
    const own = `00-${"a".repeat(32)}-${String(spans.length + 1).padStart(16, "0")}-01`;
    const span: RecordedSpan = { ...options, name, own, traceparent: options.traceparent };
    spans.push(span);
    const end = (ended: SpanEnd = {}): void => void (span.ended ??= ended);
    return {
      traceparent: own,
      set: () => undefined,
      end,
    };
  });
  return { tracer, spans };
}
