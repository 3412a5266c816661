import { parseArgs } from "node:util";
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

export const usage = `Measures the way of a task from the bus to an agent and back, beside a loop written by hand and beside one task at a time.

  pnpm bench:bridge [--quick] [--only <bus>]... [--json] [--write] [--cpu-prof <folder>]

  --quick              about three minutes; without it about ten
  --only <bus>         only on this bus; may be given several times: ${busNames.join(", ")}
  --json               everything as JSON on standard output
  --write              writes docs/bench-bridge.md too
  --cpu-prof <folder>  one CPU profile of each peer's process, in folder/<bus>-<peer>
  --help               this text

Kafka needs Java 17; where it is not, it is left out and said so.
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readBridgeOptions(args: readonly string[]): BridgeOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      "cpu-prof": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, only, json, write, "cpu-prof": cpuProf } = values;
  return { plan: quick ? quickPlan : fullPlan, buses: select(only), json, write, cpuProf };
}

function select(only: readonly string[] | undefined): readonly BusName[] {
  if (only === undefined) return busNames;
  const unknown = only.find((name) => !busNames.some((known) => known === name));
  if (unknown !== undefined) throw new TypeError(`--only ${unknown}: there is only ${busNames.join(", ")}`);
  return busNames.filter((name) => only.includes(name));
}
