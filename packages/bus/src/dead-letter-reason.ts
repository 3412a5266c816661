import { isOutOfRoom, isTransient } from "@crosszone/sql";
import { BusUnavailableError } from "./bus-unavailable-error.ts";
import { DeadLetterError } from "./dead-letter-error.ts";

/** Returns true if an error is an outage of the bus or the database. Such a delivery does not count as an attempt. */
export const isOutage = (error: unknown): boolean =>
  error instanceof BusUnavailableError || isTransient(error) || isOutOfRoom(error);

/**
 * Returns why a message becomes a dead letter; undefined if it will be delivered again. An error of a handler can quote people's text, so
 * only its name is stored.
 */
export function deadLetterReason(error: unknown, isLast: boolean): string | undefined {
  if (error instanceof DeadLetterError) return error.message;
  if (!isLast || isOutage(error)) return undefined;
  return `all deliveries failed, the last one with ${error instanceof Error ? error.name : "no error"}`;
}
