import "./time/replace-all.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { enableCompileCache } from "node:module";
import { plantBug } from "./faults/plants.ts";
import { readSimOptions, usage, type SimOptions } from "./options.ts";

/** Avoids collections: most objects of a seed live until its end. MB. https://nodejs.org/api/cli.html#--max-semi-space-sizesize-in-mib */
const fewerCollections = "--max-semi-space-size=64";

/** Maximum seeds of one process. Each leaks some megabytes. */
const mostSeeds = 500;

const say = (text: string): void => void process.stdout.write(text);

/** Runs seeds in this process. Returns whether all passed. */
async function runHere({ from, seeds, trace, plant }: SimOptions): Promise<boolean> {
  if (plant !== undefined) plantBug(plant);
  const { makeTemplate } = await import("./template.ts");
  const { runSeed } = await import("./run-seed.ts");
  const { passVirtualTime } = await import("./time/virtual-time.ts");
  const template = await makeTemplate();
  process.once("exit", template.close);
  passVirtualTime();
  const totals = new Map<string, number>();
  let [messages, virtualMs, failures] = [0, 0, 0];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const result = await runSeed(seed, { template, logs: trace });
    messages += result.messages;
    virtualMs += result.virtualMs;
    for (const [name, count] of Object.entries(result.counts)) totals.set(name, (totals.get(name) ?? 0) + count);
    if (trace) say(`${result.trace.join("\n")}\n`);
    if (result.complaints.length === 0) continue;
    failures += 1;
    say(`seed ${seed} FAILED\n${result.complaints.map((complaint) => `  ${complaint}\n`).join("")}`);
    say(`  again: pnpm sim --seed ${seed} --trace${plant === undefined ? "" : ` --plant ${plant}`}\n`);
    // The bug is found.
    if (plant !== undefined) break;
  }
  const minutes = Math.round(virtualMs / 60_000);
  say(
    `sim: seeds ${from} to ${from + seeds - 1} · ${messages} messages · ${failures} seeds failed · ${minutes} virtual minutes\n`,
  );
  say(
    `  ${[...totals]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `${name.replace(/_/g, " ")} ${count}`)
      .join(", ")}\n`,
  );
  return failures === 0;
}

/** Distributes the seeds over processes. Returns whether all passed. */
async function runShards({ from, seeds, shards, trace, plant }: SimOptions): Promise<boolean> {
  const firstOf = (shard: number): number => from + Math.floor((seeds * shard) / shards);
  const more = [...(trace ? ["--trace"] : []), ...(plant === undefined ? [] : ["--plant", plant])];
  async function runProgram(first: number, count: number): Promise<boolean> {
    const range = ["--from", String(first), "--seeds", String(count), "--shards", "1"];
    const args = [...process.execArgv, fewerCollections, import.meta.filename, ...range, ...more];
    const [code] = (await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit")) as [number | null];
    return code === 0;
  }
  const shares = Array.from({ length: shards }, async (_, shard) => {
    let isGood = true;
    const end = firstOf(shard + 1);
    for (let first = firstOf(shard); first < end; first += mostSeeds) {
      isGood = (await runProgram(first, Math.min(mostSeeds, end - first))) && isGood;
      // The bug is found.
      if (!isGood && plant !== undefined) break;
    }
    return isGood;
  });
  return (await Promise.all(shares)).every(Boolean);
}

async function main(): Promise<number> {
  enableCompileCache();
  const options = readSimOptions(process.argv.slice(2));
  if (options === undefined) {
    say(usage);
    return 0;
  }
  return (await (options.shards > 1 ? runShards(options) : runHere(options))) ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`sim: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
});
