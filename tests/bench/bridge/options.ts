import { parseArgs } from "node:util";
import { benchArguments } from "../bench-arguments.ts";
import { selectNames } from "../select-names.ts";
import { busNames, type BusName } from "./peers.ts";
import { fullPlan, quickPlan, type Plan } from "./plan.ts";

export interface BridgeOptions {
  readonly plan: Plan;
  readonly buses: readonly BusName[];
  readonly json: boolean;
  /** Writes the page of the documentation too. */
  readonly write: boolean;
  /** Folder for CPU profiles of the peers. */
  readonly cpuProf: string | undefined;
}

export const usage = `Measures the way of a task to an agent and back, beside a loop written by hand and beside one task at a time.

  pnpm bench:bridge [--quick] [--only <bus>]... [--json] [--write] [--cpu-prof <folder>]

  --quick              about three minutes; without it about ten
  --only <bus>         only there; may be given several times: ${busNames.join(", ")}
  --json               everything as JSON on standard output
  --write              writes docs/bench-bridge.md too
  --cpu-prof <folder>  one CPU profile of each peer's process, in folder/<bus>-<peer>
  --help               this text

Kafka needs Java 17; where it is not, it is left out and said so.
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readBridgeOptions(args: readonly string[]): BridgeOptions | undefined {
  const { values } = parseArgs({ args: [...args], options: benchArguments });
  if (values.help) return undefined;
  const { quick, only, json, write, "cpu-prof": cpuProf } = values;
  return { plan: quick ? quickPlan : fullPlan, buses: selectNames(only, busNames), json, write, cpuProf };
}
