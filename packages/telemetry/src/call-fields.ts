import type { FieldRows } from "./event-rows.ts";

export const timed = { duration_ms: "number" } as const satisfies FieldRows;
/** `kind` is that of the error. */
export const ended = { ...timed, "kind?": "text" } as const satisfies FieldRows;
/** A call that failed and is retried. */
export const failedCall = { operation: "text", "cause?": "any" } as const satisfies FieldRows;
