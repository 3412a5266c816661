import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** What a process is there for; each side of a connection has a core of its own. */
export type Side = "server" | "load";

const cores: Record<Side, number> = { load: 0, server: 1 };

/** Whether processes can be bound to cores here: two cores, and the `taskset` of util-linux. */
export const pinned: boolean =
  availableParallelism() >= 2 && spawnSync("taskset", ["-c", String(cores.server), "true"]).status === 0;

/** The command that runs Node with these arguments, bound to its side's core when it has a side and that is possible. */
export function nodeCommand(side: Side | undefined, args: readonly string[]): { executable: string; args: string[] } {
  if (!pinned || side === undefined) return { executable: process.execPath, args: [...args] };
  return { executable: "taskset", args: ["-c", String(cores[side]), process.execPath, ...args] };
}
