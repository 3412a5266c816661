import { sum } from "../kit/statistics.ts";
import { isDurable } from "./code-size.ts";
import type { FileOnWay } from "./code-way.ts";
import type { PathFigures } from "./measure.ts";
import { zones, type Engine, type Zone } from "./start-system.ts";

/** The figures that have limits. */
export interface PathSummary {
  readonly files: number;
  /** Lines of code of the functions that ran. */
  readonly lines: number;
  readonly borders: number;
  /** Those of queue, bus and worker code alone. */
  readonly durableFiles: number;
  readonly durableLines: number;
  readonly durableBorders: number;
  readonly writes: number;
  readonly tables: number;
  readonly verificationTrips: number;
  readonly verificationCommits: number;
  readonly executionTrips: number;
  readonly executionCommits: number;
}

/** Adds up both zones. A file that ran in both counts once; a table counts in each zone. */
export function summarize({ zones: ways, borders, durableBorders }: PathFigures): PathSummary {
  const both = zones.map((zone) => ways[zone]);
  const files = filesOf(ways, zones);
  const durable = files.filter(({ path }) => isDurable(path));
  const { trips, commits } = ways.execution.sql;
  return {
    files: files.length,
    lines: sum(files.map(({ ran }) => ran)),
    borders: borders.length,
    durableFiles: durable.length,
    durableLines: sum(durable.map(({ ran }) => ran)),
    durableBorders: durableBorders.length,
    writes: sum(both.map(({ sql }) => sql.writes)),
    tables: sum(both.map(({ sql }) => sql.tables.length)),
    verificationTrips: ways.verification.sql.trips,
    verificationCommits: ways.verification.sql.commits,
    executionTrips: trips,
    executionCommits: commits,
  };
}

/** The files of some zones, each once: as in the zone in which more of it ran. */
export function filesOf(ways: PathFigures["zones"], of: readonly Zone[]): FileOnWay[] {
  const byPath = Map.groupBy(
    of.flatMap((zone) => ways[zone].files),
    ({ path }) => path,
  );
  return [...byPath.values()].flatMap((same) => same.toSorted((a, b) => b.ran - a.ran).slice(0, 1));
}

const onEach = {
  files: 240,
  // The validators were generated code, which does not count; now they are ours.
  lines: 5_800,
  borders: 155,
  durableFiles: 55,
  durableLines: 1_300,
  durableBorders: 15,
  writes: 12,
  tables: 6,
  verificationCommits: 4,
  executionCommits: 3,
};

/** The highest figures of one question that are allowed. A change that needs more raises them here; one that needs less lowers them. */
export const limits: Readonly<Record<Engine, PathSummary>> = {
  // Statements, `begin` and `commit` among them, and up to three of timers.
  sqlite: { ...onEach, verificationTrips: 17, executionTrips: 12 },
  postgres: { ...onEach, verificationTrips: 8, executionTrips: 3 },
};
