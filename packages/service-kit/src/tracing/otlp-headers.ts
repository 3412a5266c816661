/**
 * Parses `name=value,other=value` with percent-encoded values. Returns undefined when any part is invalid.
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables
 */
export function readOtlpHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  const headers = pairs.map((pair) => {
    const [, name = "", value = ""] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return [name.toLowerCase(), decoded(value)] as const;
  });
  if (headers.length === 0 || headers.some(([name, value]) => name === "" || value === undefined)) return undefined;
  return Object.fromEntries(headers) as Record<string, string>;
}

/** Decodes a value. Undefined unless it is printable ASCII, which HTTP can carry everywhere. */
function decoded(value: string): string | undefined {
  try {
    const text = decodeURIComponent(value);
    return /^[\x20-\x7e]+$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
