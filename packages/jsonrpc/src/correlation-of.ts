import { isCorrelationId } from "@crosszone/contracts";

/** Returns the correlation id of a call: a valid `params.correlation_id` of the caller, otherwise `otherwise`. */
export function correlationOf(params: unknown, otherwise: string): string {
  if (typeof params !== "object" || params === null || !Object.hasOwn(params, "correlation_id")) return otherwise;
  const own: unknown = params["correlation_id" as never];
  return isCorrelationId(own) ? own : otherwise;
}
