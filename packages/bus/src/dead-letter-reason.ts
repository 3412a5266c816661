import { DeadLetterError } from "./dead-letter-error.ts";

/** Why a message is given up; undefined when it comes again. What a handler threw may quote what people wrote: only its name is kept. */
export function deadLetterReason(error: unknown, isLast: boolean): string | undefined {
  if (error instanceof DeadLetterError) return error.message;
  if (!isLast) return undefined;
  return `it failed at each delivery, at the last one with ${error instanceof Error ? error.name : "no error"}`;
}
