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

/** Returns the log fields of a valid `traceparent`, which link logs and traces; empty without one. */
export function traceFields(traceparent: string | undefined): { readonly trace_id?: string } {
  return traceparent === undefined ? {} : { trace_id: traceparent.slice(3, 35) };
}
