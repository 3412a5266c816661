import { inTurns, type Progress } from "../kit/rounds.ts";
import { ownRoot } from "../zone/zone-process.ts";
import { runSource, sources, type Source, type SourceName } from "./sources.ts";

export const versions = ["before", "now"] as const;
export type Version = (typeof versions)[number];

/** What one benchmark found of one version in one round, as it printed it. */
export interface Finding {
  readonly source: SourceName;
  readonly version: Version;
  readonly round: number;
  readonly found: unknown;
}

export interface Comparison {
  readonly findings: readonly Finding[];
  /** Runs that failed: their figures are missing. */
  readonly failures: readonly string[];
}

export interface CompareOptions {
  /** The repository of the version before, with its dependencies installed. */
  readonly before: string;
  readonly rounds: number;
  readonly sources: readonly SourceName[];
}

/** Runs all benchmarks of both versions once a round. A run that fails is left out. `now` is the repository of this version. */
export async function compare(
  { before, rounds, sources: names }: CompareOptions,
  progress: Progress,
  now = ownRoot,
): Promise<Comparison> {
  const roots: Readonly<Record<Version, string>> = { before, now };
  const findings: Finding[] = [];
  const failures: string[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const source of names) {
      const { once = false, onlyNow = false }: Source = sources[source];
      if (once && round > 0) continue;
      for (const version of inTurns(versions, round)) {
        if (onlyNow && version === "before") continue;
        const title = `round ${round + 1} of ${rounds}, ${source}, ${version}`;
        progress(`\n--- ${title}\n`);
        try {
          findings.push({ source, version, round, found: await runSource(source, roots[version]) });
        } catch (error) {
          failures.push(`${title}: ${String(error)}`);
          progress(`${String(error)}\n`);
        }
      }
    }
  return { findings, failures };
}
