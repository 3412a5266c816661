import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownRoot } from "../zone/zone-process.ts";

/** A benchmark that runs for the comparison. */
export interface Source {
  /** Its name in `bench/main.ts`, where that is another one. */
  readonly benchmark?: string;
  /** Its module below `tests/bench`, in versions that had the benchmarks there. */
  readonly formerModule: string;
  readonly args: readonly string[];
  /** This repository's benchmark runs for both, on the zones of each. */
  readonly onZones?: boolean;
  /** Its figures are counts, or it has its own rounds: it runs in the first round only. */
  readonly once?: boolean;
  /** The version before does not have it. */
  readonly onlyNow?: boolean;
  /** Ends with 1 when a goal of correctness was missed, which its figures show too. */
  readonly mayBeBroken?: boolean;
}

/** All of them, by the name that `--only` accepts; the shortest come first. */
export const sources = {
  path: { formerModule: "path/main.ts", args: ["--engine", "postgres"], onZones: true, once: true },
  zone: { benchmark: "http", formerModule: "main.ts", args: ["--quick", "--only", "execution"] },
  durable: { formerModule: "durable/main.ts", args: ["--quick", "--only", "sqlite"], mayBeBroken: true },
  load: { formerModule: "load-run/main.ts", args: ["--quick", "--mentions", "100"], onZones: true, mayBeBroken: true },
  bridge: { formerModule: "bridge/main.ts", args: ["--quick"] },
  workflow: { formerModule: "workflow/main.ts", args: ["--quick"] },
  jobs: {
    formerModule: "jobs/main.ts",
    args: ["drain", "snapshot", "lanes", "wake"].flatMap((part) => ["--only", part]),
    once: true,
    onlyNow: true,
  },
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;
export const sourceNames = Object.keys(sources) as SourceName[];

const timeoutMs = 1_200_000;
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill();
});

/** Whether a repository has the benchmarks, in `bench` or, as older versions, in `tests/bench`. */
export const hasBenchmarks = (root: string): boolean =>
  existsSync(join(root, "bench/main.ts")) || existsSync(join(root, "tests/bench"));

/** How a benchmark starts in the repository at `root`. */
function commandOf(name: SourceName, root: string): { readonly cwd: string; readonly args: readonly string[] } {
  const { benchmark = name, formerModule }: Source = sources[name];
  if (existsSync(join(root, "bench/main.ts"))) return { cwd: join(root, "bench"), args: ["main.ts", benchmark] };
  return { cwd: join(root, "tests"), args: [join("bench", formerModule)] };
}

/** Runs a benchmark on the repository at `root`, and returns what it printed as JSON. */
export async function runSource(name: SourceName, root: string): Promise<unknown> {
  const { args, onZones = false, mayBeBroken = false }: Source = sources[name];
  const command = commandOf(name, onZones ? ownRoot : root);
  const zones = onZones ? ["--zones", root] : [];
  const options = ["--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...options, ...command.args, ...args, ...zones, "--json"], {
    cwd: command.cwd,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: timeoutMs,
  });
  running.add(child);
  const [printed, [code]] = await Promise.all([child.stdout.toArray(), once(child, "close")]);
  running.delete(child);
  if (code !== 0 && !(code === 1 && mayBeBroken)) throw new Error(`${name} ended with ${code ?? "a signal"}`);
  return JSON.parse(Buffer.concat(printed as Buffer[]).toString()) as unknown;
}
