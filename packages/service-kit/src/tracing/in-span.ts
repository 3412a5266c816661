import type { Span, SpanAttributes } from "./tracer.ts";

/** What a span records about an error. */
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
    span.end({ error: kind, ...(attributes && { attributes }) });
    throw error;
  }
}
