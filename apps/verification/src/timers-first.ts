import { setTimeout } from "node:timers/promises";

/**
 * Resolves when every timer that is due has run. A process that stood still goes on where it stopped, before the timers that would
 * tell it that its leases are over: await this before what cannot be taken back.
 */
export const timersFirst = (): Promise<void> => setTimeout(1);
