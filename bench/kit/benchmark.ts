import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describeOptions, flag, readArguments, type Options, type Values } from "./arguments.ts";
import type { GoalResult } from "./goals.ts";
import { describeMachine, type Machine } from "./machine.ts";
import type { Progress } from "./rounds.ts";

/** A benchmark: what it measures by which options, and how it shows what it found. */
export interface Benchmark<Of extends Options, Figures extends object> {
  /** The script of `package.json` that runs it. */
  readonly script: string;
  /** What it measures, for the help text. */
  readonly about: string;
  readonly options: Of;
  /** What the help text says after the options. */
  readonly notes?: string;
  /** The file in `docs` that `--write` writes. */
  readonly page?: string;
  readonly measure: (options: Values<Of>, progress: Progress) => Promise<Figures>;
  /** Returns the page as Markdown. */
  readonly render: (findings: Figures & Measured) => string;
  /** Returns the images of the page: SVG by file name in `docs/images`. */
  readonly draw?: (findings: Figures & Measured) => Readonly<Record<string, string>>;
  /** Whether a goal of correctness was missed: the command then ends with 1. */
  readonly isBroken?: (findings: Figures & Measured) => boolean;
}

interface Measured {
  readonly machine: Machine;
}

/** What a run has to report. */
export interface Findings<Plan, Figures> extends Measured {
  readonly plan: Plan;
  readonly figures: Figures;
  readonly goals: readonly GoalResult[];
}

/** What every benchmark's command line has as well. */
interface Output {
  /** Prints everything as JSON, instead of the page. */
  readonly json: boolean;
  /** Writes the page of the documentation. */
  readonly write: boolean;
}

/** Infers the types of a benchmark's description. */
export const defineBenchmark = <Of extends Options, Figures extends object>(
  benchmark: Benchmark<Of, Figures>,
): Benchmark<Of, Figures> => benchmark;

type Described<Of extends Options> = Pick<Benchmark<Of, object>, "options" | "page">;

const optionsOf = <Of extends Options>({ options, page }: Described<Of>) => ({
  ...options,
  json: flag("everything as JSON on standard output"),
  ...(page !== undefined && { write: flag(`writes docs/${page} too`) }),
});

/** Reads a benchmark's command line; `undefined` when it asks for help. Throws a `TypeError` that names the problem. */
export function readOptions<Of extends Options>(
  benchmark: Described<Of>,
  args: readonly string[],
): (Values<Of> & Output) | undefined {
  const values = readArguments(optionsOf(benchmark), args);
  return values && { write: false, ...values };
}

function usageOf({ script, about, notes, ...described }: Benchmark<Options, object>): string {
  const { synopsis, list } = describeOptions(optionsOf(described));
  return `${about}\n\n  pnpm ${script} ${synopsis}\n\n${list}\n${notes === undefined ? "" : `\n${notes}\n`}`;
}

const docs = resolve(import.meta.dirname, "../../docs");

/** Runs a benchmark by its command line. Ends the process with 1 when it fails. */
export async function runBenchmark<Of extends Options, Figures extends object>(
  benchmark: Benchmark<Of, Figures>,
  args: readonly string[],
): Promise<void> {
  // Leaving on a signal runs the exit handlers, which end every process.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  const { script, page, measure, render, draw, isBroken } = benchmark;
  try {
    const options = readOptions(benchmark, args);
    if (options === undefined) {
      process.stdout.write(usageOf(benchmark as unknown as Benchmark<Options, object>));
      return;
    }
    const machine = describeMachine();
    const findings = { machine, ...(await measure(options, (text) => process.stderr.write(text))) };
    const report = render(findings);
    process.stdout.write(options.json ? `${JSON.stringify(findings, null, 2)}\n` : report);
    if (options.write && page !== undefined) {
      writeFileSync(resolve(docs, page), report);
      for (const [file, svg] of Object.entries(draw?.(findings) ?? {}))
        writeFileSync(resolve(docs, "images", file), svg);
    }
    if (isBroken?.(findings)) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`\n${script}: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  }
}
