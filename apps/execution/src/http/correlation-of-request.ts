import type { IncomingHttpHeaders } from "node:http";
import { isCorrelationId } from "@crosszone/contracts";

/**
 * Returns the correlation id of a request: from `x-correlation-id`, or, on a platform that strips unknown headers, from
 * the member `correlation_id` of W3C baggage. Without a valid one it returns the request id.
 * https://www.w3.org/TR/baggage/#header-content
 */
export function correlationOfRequest(
  { "x-correlation-id": own, baggage }: IncomingHttpHeaders,
  requestId: string,
): string {
  if (own !== undefined && isCorrelationId(own)) return own;
  const member = typeof baggage === "string" ? memberOf(baggage, "correlation_id") : undefined;
  return member !== undefined && isCorrelationId(member) ? member : requestId;
}

function memberOf(baggage: string, key: string): string | undefined {
  for (const member of baggage.split(",")) {
    // Properties of the member follow a semicolon.
    const [pair = ""] = member.split(";", 1);
    const end = pair.indexOf("=");
    if (end > 0 && pair.slice(0, end).trim() === key) return decoded(pair.slice(end + 1).trim());
  }
  return undefined;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
