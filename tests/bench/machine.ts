import { availableParallelism, cpus, loadavg } from "node:os";
import { pinned } from "./process/pinning.ts";

/** What the figures depend on beside the code. */
export interface Machine {
  node: string;
  cpu: string;
  cores: number;
  /** Whether server and load each had a core of its own. */
  pinned: boolean;
  /** Processes that wanted to run, on average over the last minute before the start. */
  loadBefore: number;
}

export function describeMachine(): Machine {
  return {
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    pinned,
    loadBefore: loadavg()[0] ?? Number.NaN,
  };
}
