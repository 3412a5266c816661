import { parseArgs } from "node:util";
import { benchArguments } from "../bench-arguments.ts";
import { selectNames } from "../select-names.ts";
import { peerNames, type PeerName } from "./peers.ts";
import { fullPlan, quickPlan, type Plan } from "./plan.ts";

export interface WorkflowOptions {
  readonly plan: Plan;
  readonly peers: readonly PeerName[];
  readonly json: boolean;
  /** Writes the page of the documentation too. */
  readonly write: boolean;
  /** Folder for CPU profiles of the peers. */
  readonly cpuProf: string | undefined;
}

export const usage = `Measures runs of five steps by agents over HTTP, beside the same calls written by hand and beside DBOS.

  pnpm bench:workflow [--quick] [--only <peer>]... [--json] [--write] [--cpu-prof <folder>]

  --quick              about four minutes; without it about fifteen
  --only <peer>        only this one; may be given several times: ${peerNames.join(", ")}
  --json               everything as JSON on standard output
  --write              writes docs/bench-workflow.md too
  --cpu-prof <folder>  CPU profiles of each peer's processes, in folder/<peer>
  --help               this text

Ratios need the peer that they are to: by hand on the same engine. Kafka needs Java 17; where it is not, it is left out and said so.
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readWorkflowOptions(args: readonly string[]): WorkflowOptions | undefined {
  const { values } = parseArgs({ args: [...args], options: benchArguments });
  if (values.help) return undefined;
  const { quick, only, json, write, "cpu-prof": cpuProf } = values;
  return { plan: quick ? quickPlan : fullPlan, peers: selectNames(only, peerNames), json, write, cpuProf };
}
