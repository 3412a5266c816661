import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { plants, plantsText, type Plant } from "./faults/plants.ts";

export interface SimOptions {
  /** First seed. */
  readonly from: number;
  /** Number of seeds. */
  readonly seeds: number;
  /** Number of processes that share the seeds. */
  readonly shards: number;
  /** A bug to plant, to see that the simulation finds it. */
  readonly plant: Plant | undefined;
  /** Prints all events. */
  readonly trace: boolean;
}

export const usage = `Runs both zones in one process, on a virtual clock, with databases, a network and a Slack that fail, and processes that are killed.
Everything that happens is a function of the seed. Each message must be answered exactly once, and rightly, or the program ends with 1.

  pnpm sim [--seed <n>] [--seeds <n>] [--from <n>] [--shards <n>] [--trace] [--plant <bug>]

  --seed <n>    runs this one seed
  --seeds <n>   runs this many seeds, 100 by default
  --from <n>    the first of them, 1 by default
  --shards <n>  how many programs share them, one a core by default
  --trace       prints everything that happened
  --plant <bug> plants a bug in the source, so that one can see it found:
${plantsText}  --help        this text
`;

/** Parses the command line. Returns undefined for `--help`. Throws a `TypeError` for an invalid option. */
export function readSimOptions(args: readonly string[]): SimOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string" },
      seeds: { type: "string", default: "100" },
      from: { type: "string", default: "1" },
      shards: { type: "string", default: String(availableParallelism()) },
      plant: { type: "string" },
      trace: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { trace } = values;
  const plant = plantOf(values.plant);
  if (values.seed !== undefined) return { from: wholeNumber("--seed", values.seed), seeds: 1, shards: 1, trace, plant };
  const seeds = wholeNumber("--seeds", values.seeds);
  const shards = Math.max(1, Math.min(wholeNumber("--shards", values.shards), seeds));
  return { from: wholeNumber("--from", values.from), seeds, shards, trace, plant };
}

function plantOf(name: string | undefined): Plant | undefined {
  const plant = plants.find((one) => one === name);
  if (plant !== undefined || name === undefined) return plant;
  throw new TypeError(`Expected one of ${plants.join(", ")} for --plant, got ${JSON.stringify(name)}.`);
}

function wholeNumber(option: string, value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new TypeError(`Expected a whole number for ${option}, got ${JSON.stringify(value)}.`);
}
