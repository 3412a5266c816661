import { parseArgs } from "node:util";
import { benchArguments } from "../bench-arguments.ts";

/** What is measured. */
export interface Plan {
  /** Streams at the same time. */
  readonly streams: number;
  /** How long each streams, seconds. */
  readonly seconds: number;
  /** Between the starts of two streams, milliseconds. */
  readonly everyMs: number;
  /** Readers that stand still. */
  readonly stalled: number;
}

const fullPlan: Plan = { streams: 200, seconds: 12, everyMs: 20, stalled: 20 };
const quickPlan: Plan = { streams: 50, seconds: 6, everyMs: 20, stalled: 20 };

export interface StreamOptions {
  readonly plan: Plan;
  readonly json: boolean;
  /** Writes the page of the documentation too. */
  readonly write: boolean;
  /** Folder for CPU profiles of both zones. */
  readonly cpuProf: string | undefined;
}

export const usage = `Streams answers token by token through both zones to a local Slack, beside a bare relay of two hops.

  pnpm bench:stream [--quick] [--json] [--write] [--cpu-prof <folder>]

  --quick              ${quickPlan.streams} streams of ${quickPlan.seconds} s, about a minute; without it ${fullPlan.streams} of ${fullPlan.seconds} s, about three minutes
  --json               everything as JSON on standard output
  --write              writes docs/bench-stream.md too
  --cpu-prof <folder>  CPU profiles of both zones
  --help               this text
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readStreamOptions(args: readonly string[]): StreamOptions | undefined {
  const { only: _only, ...options } = benchArguments;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) return undefined;
  const { quick, json, write, "cpu-prof": cpuProf } = values;
  return { plan: quick ? quickPlan : fullPlan, json, write, cpuProf };
}
