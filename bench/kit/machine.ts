import { spawnSync } from "node:child_process";
import { availableParallelism, cpus, loadavg } from "node:os";

/** What the figures depend on, other than the code. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  /** Whether server and load each had their own core. */
  readonly pinned: boolean;
  /** Processes that wanted to run, on average over the last minute before the start. */
  readonly loadBefore: number;
}

/** The machine in one line; `bound` names the core of each process, for a machine that can bind them. */
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

/** The role of a process. Each side of a connection has its own core. */
export type Side = "server" | "load";

const cores: Record<Side, number> = { load: 0, server: 1 };

/** Whether processes can be bound to cores here: two cores, and the `taskset` of util-linux. */
const pinned: boolean =
  availableParallelism() >= 2 && spawnSync("taskset", ["-c", String(cores.server), "true"]).status === 0;

/** The command that runs Node with these arguments, bound to the core of its side where that is possible. */
export function nodeCommand(side: Side | undefined, args: readonly string[]): { executable: string; args: string[] } {
  if (!pinned || side === undefined) return { executable: process.execPath, args: [...args] };
  return { executable: "taskset", args: ["-c", String(cores[side]), process.execPath, ...args] };
}
