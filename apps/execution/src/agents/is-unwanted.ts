import { ZoneError } from "@crosszone/contracts";

/** Whether a task was stopped for good, by the reason of its signal. A process that stops, or has lost the task, leaves it to another one. */
export const isUnwanted = (reason: unknown): boolean =>
  reason instanceof ZoneError && (reason.kind === "canceled" || reason.kind === "timeout");
