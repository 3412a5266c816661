import { isOutOfRoom, isTransient } from "@crosszone/sql";
import { BusUnavailableError } from "./bus-unavailable-error.ts";
import { DeadLetterError } from "./dead-letter-error.ts";

/** Whether a failure says nothing of the message: the bus or the database is away. However often, such a delivery does not count. */
export const isOutage = (error: unknown): boolean =>
  error instanceof BusUnavailableError || isTransient(error) || isOutOfRoom(error);

/** Why a message is given up; undefined when it comes again. What a handler threw may quote what people wrote: only its name is kept. */
export function deadLetterReason(error: unknown, isLast: boolean): string | undefined {
  if (error instanceof DeadLetterError) return error.message;
  if (!isLast || isOutage(error)) return undefined;
  return `it failed at each delivery, at the last one with ${error instanceof Error ? error.name : "no error"}`;
}
