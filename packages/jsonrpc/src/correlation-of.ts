import { isCorrelationId } from "@crosszone/contracts";

/** The id that a call is followed by: the caller's own `params.correlation_id` when it is a valid one, `otherwise` if not. */
export function correlationOf(params: unknown, otherwise: string): string {
  if (typeof params !== "object" || params === null || !Object.hasOwn(params, "correlation_id")) return otherwise;
  const own: unknown = params["correlation_id" as never];
  return isCorrelationId(own) ? own : otherwise;
}
