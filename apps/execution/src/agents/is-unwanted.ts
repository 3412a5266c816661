import { ZoneError } from "@crosszone/contracts";

/**
 * Whether a task was stopped for good, by the reason of its signal. When a process stops or loses a task, another
 * process continues it.
 */
export const isUnwanted = (reason: unknown): boolean =>
  reason instanceof ZoneError && (reason.kind === "canceled" || reason.kind === "timeout");
