import { isDurable } from "./code-size.ts";
import type { FileOnWay } from "./code-way.ts";
import type { PathFigures } from "./measure.ts";
import { zones, type Zone } from "./start-system.ts";

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

/** Adds up both zones. A file that ran in both counts once, a table of each zone for itself. */
export function summarise({ zones: ways, borders, durableBorders }: PathFigures): PathSummary {
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

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
