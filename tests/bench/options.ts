import { parseArgs } from "node:util";
import { benchArguments } from "./bench-arguments.ts";
import { clientNames, type ClientName } from "./clients/clients.ts";
import { fullPlan, quickPlan, type Plan } from "./plan.ts";
import { serverNames, type ServerName } from "./servers/servers.ts";

/** What is to be measured. */
export interface Selection {
  servers: readonly ServerName[];
  clients: readonly ClientName[];
  /** Our client's own work, without a network. */
  steps: boolean;
}

export interface Options {
  plan: Plan;
  selection: Selection;
  json: boolean;
  /** Writes the page of the documentation too. */
  write: boolean;
}

export const usage = `Measures Crosszone beside other JSON-RPC servers and clients, in alternation, and says which goals it meets.

  pnpm bench [--quick] [--only <name>]... [--json] [--write] [--cpu-prof <folder>]

  --quick              about 30 seconds; without it about 5 minutes
  --only <name>        only this one; may be given several times. Ratios need a bare server, so any server brings it along.
                       servers: ${serverNames.join(", ")}
                       clients: ${clientNames.join(", ")}, client-steps
  --json               everything as JSON on standard output
  --write              writes docs/benchmark.md too
  --cpu-prof <folder>  one CPU profile of each server process, in folder/<server>
  --help               this text
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({ args: [...args], options: benchArguments });
  if (values.help) return undefined;
  const plan = values.quick ? quickPlan : fullPlan;
  const { json, write } = values;
  return { plan: { ...plan, cpuProf: values["cpu-prof"] }, selection: select(values.only), json, write };
}

function select(only: readonly string[] | undefined): Selection {
  if (only === undefined) return { servers: serverNames, clients: clientNames, steps: true };
  const known: readonly string[] = [...serverNames, ...clientNames, "client-steps"];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`--only ${unknown}: there is only ${known.join(", ")}`);
  const anyServer = serverNames.some((name) => only.includes(name));
  return {
    servers: serverNames.filter((name) => only.includes(name) || (anyServer && name === "bare")),
    clients: clientNames.filter((name) => only.includes(name)),
    steps: only.includes("client-steps"),
  };
}
