/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Longer than any version that we can read needs to be. */
const longest = 256;

/**
 * Reads a `traceparent` header. Nothing when it is missing, repeated or invalid: then a trace begins here. A version after ours is
 * read as far as ours goes. https://www.w3.org/TR/trace-context/#versioning-of-traceparent
 */
export function readTraceparent(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== "string" || header.length > longest) return undefined;
  const [, version, traceId, parentId, flags, more] = form.exec(header) ?? [];
  if (version === undefined || flags === undefined) return undefined;
  if (version === "00") return more === undefined ? header : undefined;
  return `00-${traceId}-${parentId}-${Number.parseInt(flags, 16) & 1 ? "01" : "00"}`;
}

/** What log lines say of a valid `traceparent`, so that logs and traces meet; nothing when there is none. */
export function traceFields(traceparent: string | undefined): { readonly trace_id?: string } {
  return traceparent === undefined ? {} : { trace_id: traceparent.slice(3, 35) };
}
