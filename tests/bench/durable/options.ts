import { parseArgs } from "node:util";
import { benchArguments } from "../bench-arguments.ts";
import { selectNames } from "../select-names.ts";
import { peerNames, type PeerName } from "./peers.ts";
import { fullPlan, quickPlan, type Plan } from "./plan.ts";

export interface DurableOptions {
  readonly plan: Plan;
  readonly peers: readonly PeerName[];
  /** How long a server is kept under load to see what it keeps, seconds; 0: not at all. */
  readonly soakSeconds: number;
  readonly json: boolean;
  /** Writes the page of the documentation too. */
  readonly write: boolean;
  /** Folder for CPU profiles of the servers. */
  readonly cpuProf: string | undefined;
}

export const usage = `Measures what it costs to have a task on the disk before its request is answered, beside servers that do so otherwise, or not at all.

  pnpm bench:durable [--quick] [--only <name>]... [--soak <seconds>] [--json] [--write] [--cpu-prof <folder>]

  --quick              about a minute; without it under five
  --only <name>        only this one; may be given several times: ${peerNames.join(", ")}
  --soak <seconds>     keeps a server under load for so long afterwards, and looks at its memory
  --json               everything as JSON on standard output
  --write              writes docs/bench-durable.md too
  --cpu-prof <folder>  one CPU profile of each server process, in folder/<name>
  --help               this text

Ends with 1 when a task that was acknowledged is not there after a crash.
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readDurableOptions(args: readonly string[]): DurableOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: { ...benchArguments, soak: { type: "string", default: "0" } },
  });
  if (values.help) return undefined;
  const { quick, only, soak, json, write, "cpu-prof": cpuProf } = values;
  if (!/^\d+$/.test(soak)) throw new TypeError(`--soak ${soak}: not a number of seconds`);
  return {
    plan: quick ? quickPlan : fullPlan,
    peers: selectNames(only, peerNames),
    soakSeconds: Number(soak),
    json,
    write,
    cpuProf,
  };
}
