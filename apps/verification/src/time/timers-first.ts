import { setTimeout } from "node:timers/promises";

/**
 * A wait that takes this much longer than requested means that the process was suspended. Leases are given up earlier than this before
 * their end, milliseconds.
 */
const standstillMs = 100;

/**
 * Resolves when every due timer has run. A suspended process resumes before the timers that end its leases, so await this before
 * irreversible actions. If the process is suspended during this wait, whose timer is due before theirs, the wait repeats.
 */
export async function timersFirst(): Promise<void> {
  let began: number;
  do {
    began = performance.now();
    await setTimeout(1);
  } while (performance.now() - began > standstillMs);
}
