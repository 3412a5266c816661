import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ownRoot } from "../load-run/zone-process.ts";

/** A benchmark that is run for the comparison. */
export interface Source {
  /** Its module below `tests/bench`. */
  readonly module: string;
  readonly args: readonly string[];
  /** Run from this repository for both, on the zones of each. */
  readonly onZones?: boolean;
  /** Its figures are counts, or it takes rounds of its own: it runs in the first round only. */
  readonly once?: boolean;
  /** The repository before does not have it. */
  readonly onlyNow?: boolean;
  /** Ends with 1 when a goal of correctness was missed, which its figures say too. */
  readonly mayBeBroken?: boolean;
}

/** All of them, by the name that `--only` takes; those that are soon done come first. */
export const sources = {
  path: { module: "path/main.ts", args: ["--engine", "postgres"], onZones: true, once: true },
  zone: { module: "main.ts", args: ["--quick", "--only", "execution"] },
  durable: { module: "durable/main.ts", args: ["--quick", "--only", "sqlite"], mayBeBroken: true },
  load: { module: "load-run/main.ts", args: ["--quick", "--mentions", "100"], onZones: true, mayBeBroken: true },
  bridge: { module: "bridge/main.ts", args: ["--quick"] },
  workflow: { module: "workflow/main.ts", args: ["--quick"] },
  jobs: {
    module: "jobs/main.ts",
    args: ["drain", "snapshot", "lanes", "wake"].flatMap((part) => ["--only", part]),
    once: true,
    onlyNow: true,
  },
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;
export const sourceNames = Object.keys(sources) as SourceName[];

const longestMs = 1_200_000;
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill();
});

/** Runs a benchmark on the repository at `root`, and returns what it printed as JSON. */
export async function runSource(name: SourceName, root: string): Promise<unknown> {
  const { module, args, onZones = false, mayBeBroken = false }: Source = sources[name];
  const harness = onZones ? ownRoot : root;
  const zones = onZones ? ["--zones", root] : [];
  const options = ["--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...options, join("bench", module), ...args, ...zones, "--json"], {
    cwd: join(harness, "tests"),
    stdio: ["ignore", "pipe", "inherit"],
    timeout: longestMs,
  });
  running.add(child);
  const [printed, [code]] = await Promise.all([child.stdout.toArray(), once(child, "close")]);
  running.delete(child);
  if (code !== 0 && !(code === 1 && mayBeBroken)) throw new Error(`${module} ended with ${code ?? "a signal"}`);
  return JSON.parse(Buffer.concat(printed as Buffer[]).toString()) as unknown;
}
