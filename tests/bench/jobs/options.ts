import { parseArgs } from "node:util";
import { benchArguments } from "../bench-arguments.ts";
import { selectNames } from "../select-names.ts";
import { engines, fullPlan, parts, quickPlan, type Engine, type Part, type Plan } from "./plan.ts";

export interface JobsOptions {
  readonly plan: Plan;
  readonly engines: readonly Engine[];
  readonly parts: readonly Part[];
  readonly json: boolean;
  /** Writes the page of the documentation and its curves too. */
  readonly write: boolean;
  /** Folder for CPU profiles of the processes. */
  readonly cpuProf: string | undefined;
}

export const usage = `Measures the job engine as its table grows, and beside it the same work by bare statements on the same table.

  pnpm bench:jobs [--quick] [--only <part>]... [--engine <name>]... [--kept <n>] [--rounds <n>] [--json] [--write] [--cpu-prof <folder>]

  --quick              about a minute; without it about fifteen minutes
  --only <part>        only this measurement; may be given several times: ${parts.join(", ")}
  --engine <name>      only on this database; may be given several times: ${engines.join(", ")}
  --kept <n>           ended jobs for the measurement "kept", ${fullPlan.kept} by default. 10,000,000
                       take up to 5 GB of disk, and some minutes to fill in
  --rounds <n>         rounds, ${fullPlan.rounds} by default, one with --quick
  --json               everything as JSON on standard output
  --write              writes docs/bench-jobs.md and its curves in docs/images too
  --cpu-prof <folder>  one CPU profile of each process
  --help               this text

  drain     take 100 and end 100 again and again, with 1,000 to 1,000,000 jobs waiting in 20 shares, 10 of them without room
  kept      the same beside ended jobs
  snapshot  the same while another connection holds a snapshot open: the rate over time
  lanes     a lane of 100,000 jobs in front of 1,000 other lanes: take 100, end each
  wake      from the start of an insert until another process has the job
`;

/** Reads the command line; `undefined` when help was asked for. Throws a `TypeError` that says what is wrong with it. */
export function readJobsOptions(args: readonly string[]): JobsOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...benchArguments,
      engine: { type: "string", multiple: true },
      kept: { type: "string" },
      rounds: { type: "string" },
    },
  });
  if (values.help) return undefined;
  const { quick, only, engine, kept, rounds, json, write, "cpu-prof": cpuProf } = values;
  const plan = quick ? quickPlan : fullPlan;
  return {
    plan: { ...plan, kept: countOf("--kept", kept) ?? plan.kept, rounds: countOf("--rounds", rounds) ?? plan.rounds },
    engines: selectNames(engine, engines, "--engine"),
    parts: selectNames(only, parts),
    json,
    write,
    cpuProf,
  };
}

function countOf(option: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d*$/.test(text))
    throw new TypeError(`Expected a whole number above 0 for ${option}, got "${text}".`);
  return text === undefined ? undefined : Number(text);
}
