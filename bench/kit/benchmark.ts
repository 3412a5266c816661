import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { mostLagMs, ownUsage } from "./usage.ts";
import { describeMachine } from "./worker.ts";

/** Shows how far a benchmark is. */
export type Progress = (text: string) => void;

/** How much is measured. */
export interface Scale {
  /** How often each peer is measured. Peers alternate in each round. */
  readonly rounds: number;
  /** Small loads and short times: to try the benchmark, not to compare. */
  readonly isQuick: boolean;
  /** Mentions a second of the load beside clicks, or of the load that consists of nothing else; absent for the usual number. */
  readonly mentions?: number;
}

/** A benchmark: what it measures, and how it shows what it found. */
export interface Benchmark<Found = unknown> {
  readonly title: string;
  measure(scale: Scale, progress: Progress): Promise<Found>;
  /** Returns what the page says of it below its title, as Markdown. */
  render(found: Found, scale: Scale): string;
  /** Whether an answer was wrong or lost: the command then ends with 1. */
  isBroken?(found: Found): boolean;
}

/** Infers the type of what a benchmark finds. */
export const defineBenchmark = <Found>(benchmark: Benchmark<Found>): Benchmark<Found> => benchmark;

const usage = (names: readonly string[]): string => `./crosszone bench:<name> [--rounds <n>] [--quick]
./crosszone bench:mention --mentions <n> [--rounds <n>] [--quick]
./crosszone bench:click --mentions <n> [--rounds <n>] [--quick]
./crosszone bench:all [--rounds <n>] [--quick] [--write]

  <name>      ${names.join(", ")}
  --rounds    how often each peer is measured, 1 by default
  --quick     small loads and short times: to try a benchmark, not to compare
  --mentions  mention: how many per second, 100 by default; click: mentions per second beside the clicks, 50 by default
  --write     writes docs/benchmarks.md too

Kafka needs Java 17; without it, the tables leave it out. Ends with 1 when an answer was wrong or an acknowledged task was lost.
`;

const root = resolve(import.meta.dirname, "../..");

const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** The lines of the page that say what its figures depend on. Read it before the run, which loads the machine. */
function describeRun({ rounds, isQuick }: Scale): string {
  const { cpu, cores, pinned, loadBefore } = describeMachine();
  const commit = `${git("rev-parse", "--short=10", "HEAD")}${git("status", "--porcelain") === "" ? "" : ", with changes"}`;
  const facts = [
    `- **Commit**: ${commit}`,
    `- **Date**: ${new Date().toISOString().slice(0, 10)}`,
    `- **Machine**: ${cpu}, ${cores} cores${pinned ? "; in the first, second and fourth section, peers and load have a core each" : "; nothing is bound to a core"}; Node.js ${process.version}`,
    `- **Load average before**: ${loadBefore.toFixed(1)}${loadBefore > 0.5 ? ". **The machine did other work: compare only ratios, and these roughly.**" : ""}`,
    `- **Rounds**: ${rounds}${isQuick ? ". **A quick run, with small loads and short times: its figures only show that the benchmarks work.**" : ""}`,
  ];
  return facts.join("\n");
}

/** How much the machine delayed a section, by a timer of this process, which has little else to do. */
const describeLag = (lag: number): string =>
  `Latest timer: ${lag.toFixed(1)} ms late${lag > mostLagMs ? ". **Compare only ratios.**" : ""}`;

/** The heading of the page below which everything is written by a run. */
const heading = "## This run";

type Load = () => Promise<Benchmark>;

/** Runs one benchmark, or all of them, by the command line. */
export async function runBenchmarks(
  all: Readonly<Record<string, Load>>,
  [name = "", ...args]: readonly string[],
): Promise<void> {
  // Leaving on a signal runs the exit handlers, which end every process.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  const flag = { type: "boolean", default: false } as const;
  const given = { type: "string" } as const;
  const options = {
    rounds: { ...given, default: "1" },
    mentions: given,
    quick: flag,
    write: flag,
    help: flag,
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const names = name === "all" ? Object.keys(all) : [name];
  const rounds = Number(values.rounds);
  const mentions = values.mentions === undefined ? undefined : Number(values.mentions);
  const isWrong = [rounds, mentions ?? 1].some((count) => !Number.isInteger(count) || count < 1);
  if (values.help || isWrong || names.some((one) => all[one] === undefined)) {
    process.stdout.write(usage(Object.keys(all)));
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  if (values.write && name !== "all")
    throw new TypeError("--write needs all benchmarks: ./crosszone bench:all --write");
  const scale: Scale = { rounds, isQuick: values.quick, mentions };
  const facts = describeRun(scale);
  const sections: string[] = [];
  for (const one of names) {
    const benchmark = await all[one]?.();
    if (benchmark === undefined) continue;
    process.stderr.write(`${benchmark.title}\n`);
    ownUsage();
    const found = await benchmark.measure(scale, (text) => process.stderr.write(text));
    const lag = describeLag(ownUsage().lag);
    sections.push(`## ${benchmark.title}\n\n${benchmark.render(found, scale)}\n\n${lag}`);
    if (benchmark.isBroken?.(found)) process.exitCode = 1;
  }
  const report = `${[facts, ...sections].join("\n\n")}\n`;
  process.stdout.write(report);
  if (!values.write) return;
  const page = resolve(root, "docs/benchmarks.md");
  const [writtenByHand] = readFileSync(page, "utf8").split(heading);
  writeFileSync(page, `${writtenByHand}${heading}\n\n${report}`);
}
