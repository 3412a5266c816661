import { setTimeout } from "node:timers/promises";

/** Who waits so much longer than it asked for stood still meanwhile. Shorter than a lease is given up before its end, milliseconds. */
const standstillMs = 100;

/**
 * Resolves when every timer that is due has run. A process that stood still goes on where it stopped, before the timers that would
 * tell it that its leases are over: await this before what cannot be taken back. When it stands still in this very wait, whose timer
 * is due before theirs, it waits once more.
 */
export async function timersFirst(): Promise<void> {
  let began: number;
  do {
    began = performance.now();
    await setTimeout(1);
  } while (performance.now() - began > standstillMs);
}
