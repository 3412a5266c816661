import type { Span, SpanAttributes } from "./tracer.ts";

/** What a span says of an error, beside its kind. */
export interface SpanError {
  readonly kind: string;
  readonly attributes?: SpanAttributes;
}

/** Does work inside of a span, and ends the span with it. `errorOf` names what was thrown; its text is not recorded. */
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
    span.end({ error: kind, ...(attributes && { attributes }) });
    throw error;
  }
}
