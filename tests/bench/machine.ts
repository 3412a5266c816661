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

/** The machine in one line; `bound` says which process was on which core where that was possible. */
export function machineLine(machine: Machine, bound: string): string {
  const { node, cpu, cores, loadBefore } = machine;
  const where = machine.pinned ? bound : "not pinned";
  return `Node ${node}, ${cpu}, ${cores} cores, ${where}. Load average before: ${loadBefore.toFixed(1)}.`;
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
