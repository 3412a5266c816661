import type { IncomingHttpHeaders } from "node:http";
import { isCorrelationId } from "@crosszone/contracts";

/**
 * The correlation id that a request brings: in `x-correlation-id`, or, on a platform that strips headers it does not know, as the
 * member `correlation_id` of W3C baggage. When there is none that is valid, its request id. https://www.w3.org/TR/baggage/#header-content
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
    // What follows a semicolon are properties of the member.
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
