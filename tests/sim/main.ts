import { spawn } from "node:child_process";
import { once } from "node:events";
import { enableCompileCache } from "node:module";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { oneOf, runMain, say, wholeNumber } from "../harness/command-line.ts";
import { replaceDatabases } from "./faults/troubles.ts";
import { add, type Counts, listed } from "../resist/counts.ts";
import { plantBug, plants, plantsText } from "./faults/plants.ts";
import { recordSeed } from "./faults/seeds.ts";
import { replaceRandom } from "./time/seeded-random.ts";
import { replaceTimers } from "./time/virtual-time.ts";

// Before all modules of the zones are loaded: some of them keep a reference to `Date.now` and others.
replaceTimers();
replaceRandom();
replaceDatabases();

/** Avoids collections: most objects of a seed live until its end. MB. https://nodejs.org/api/cli.html#--max-semi-space-sizesize-in-mib */
const fewerCollections = "--max-semi-space-size=64";

/** Maximum seeds of one process. Each leaves about half a megabyte: abort signals and timers of killed processes. */
const mostSeeds = 500;

/** Runs seeds in this process. Returns whether all passed. */
async function runHere({ from, seeds, trace, plant, course, record }: SimOptions): Promise<boolean> {
  if (plant !== undefined) plantBug(plant);
  const { makeTemplate } = await import("./template.ts");
  const { planOf } = await import("./plan-seed.ts");
  const { runSeed } = await import("./run-seed.ts");
  const { passVirtualTime } = await import("./time/virtual-time.ts");
  const template = await makeTemplate();
  process.once("exit", template.close);
  passVirtualTime();
  const totals: Counts = new Map();
  let [messages, virtualMs, failures] = [0, 0, 0];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const result = await runSeed(seed, { template, plan: planOf(seed, course), logs: trace });
    messages += result.messages;
    virtualMs += result.virtualMs;
    for (const [name, times] of result.counts) add(totals, name, times);
    if (trace) say(`${result.trace.join("\n")}\n`);
    if (result.complaints.length === 0) continue;
    failures += 1;
    say(`seed ${seed} FAILED\n${result.complaints.map((complaint) => `  ${complaint}\n`).join("")}`);
    say(`  again: pnpm sim --seed ${seed} ${flagsOf({ trace: true, course, plant }).join(" ")}\n`);
    if (plant === undefined) continue;
    if (record) recordSeed(plant, seed);
    break;
  }
  const minutes = Math.round(virtualMs / 60_000);
  say(
    `sim: seeds ${from} to ${from + seeds - 1} · ${messages} messages · ${failures} seeds failed · ${minutes} virtual minutes\n`,
  );
  say(`  ${listed(totals)}
`);
  return failures === 0;
}

/** Distributes the seeds over processes. Returns whether all passed. */
async function runShards({ from, seeds, shards, ...options }: SimOptions): Promise<boolean> {
  const firstOf = (shard: number): number => from + Math.floor((seeds * shard) / shards);
  async function runProgram(first: number, count: number): Promise<boolean> {
    const range = ["--from", String(first), "--seeds", String(count), "--shards", "1"];
    const args = [...process.execArgv, fewerCollections, import.meta.filename, ...range, ...flagsOf(options)];
    const [code] = (await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit")) as [number | null];
    return code === 0;
  }
  const shares = Array.from({ length: shards }, async (_, shard) => {
    let isGood = true;
    const end = firstOf(shard + 1);
    for (let first = firstOf(shard); first < end; first += mostSeeds) {
      isGood = (await runProgram(first, Math.min(mostSeeds, end - first))) && isGood;
      // The bug is found.
      if (!isGood && options.plant !== undefined) break;
    }
    return isGood;
  });
  return (await Promise.all(shares)).every(Boolean);
}

function flagsOf({ trace, course, plant }: Omit<SimOptions, "from" | "seeds" | "shards" | "record">): string[] {
  const flags = [...(trace ? ["--trace"] : []), ...(course === undefined ? [] : [`--${course}`])];
  return plant === undefined ? flags : [...flags, "--plant", plant];
}

/** Returns whether all seeds passed, or undefined for `--help`. */
async function main(): Promise<boolean | undefined> {
  enableCompileCache();
  const options = readSimOptions(process.argv.slice(2));
  if (options === undefined) return undefined;
  return options.shards > 1 ? runShards(options) : runHere(options);
}

type SimOptions = NonNullable<ReturnType<typeof readSimOptions>>;

const usage = `Runs both zones in one process, on a virtual clock, with databases, a network and a Slack that fail, and processes that are killed.
Everything that happens is a function of the seed. Each message must be answered exactly once, and rightly, or the program ends with 1.

  pnpm sim [--seed <n>] [--seeds <n>] [--from <n>] [--shards <n>] [--trace] [--plant <bug> [--record]] [--long] [--edits] [--outage]

  --seed <n>    runs this one seed
  --seeds <n>   runs this many seeds, 100 by default
  --from <n>    the first of them, 1 by default
  --shards <n>  how many programs share them, one a core by default
  --long        runs one question that waits 30 days for its decision, while both zones are killed 100 times
  --edits       runs 26 hours in which people correct and delete their messages, and Slack sends events again
  --outage      runs a day in which people write while both zones are away, and the reading of it that is killed
  --trace       prints everything that happened
  --record      notes the seed that finds the bug, where the tests begin to look for it
  --plant <bug> plants a bug in the source, so that one can see it found:
${plantsText}  --help        this text
`;

/** Parses the command line. Returns undefined for `--help`. Throws a `TypeError` for an invalid option. */
function readSimOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string" },
      seeds: { type: "string", default: "100" },
      from: { type: "string", default: "1" },
      shards: { type: "string", default: String(availableParallelism()) },
      plant: { type: "string" },
      record: { type: "boolean", default: false },
      long: { type: "boolean", default: false },
      edits: { type: "boolean", default: false },
      outage: { type: "boolean", default: false },
      trace: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { trace, record } = values;
  const course = (["long", "edits", "outage"] as const).find((name) => values[name]);
  const plant = values.plant === undefined ? undefined : oneOf("--plant", plants, values.plant);
  const one = values.seed ?? (course === "long" ? "1" : undefined);
  const how = { trace, plant, course, record };
  if (one !== undefined) return { from: wholeNumber("--seed", one), seeds: 1, shards: 1, ...how };
  const seeds = wholeNumber("--seeds", values.seeds);
  const shards = record ? 1 : Math.max(1, Math.min(wholeNumber("--shards", values.shards), seeds));
  return { from: wholeNumber("--from", values.from), seeds, shards, ...how };
}

await runMain("sim", usage, main);
