import type { Engine } from "./start-system.ts";
import type { PathSummary } from "./summary.ts";

/** The most that may be on the way of one question. A change that needs more says so here; one that needs less lowers it. */
export const limits: Readonly<Record<Engine, PathSummary>> = {
  sqlite: {
    files: 295,
    lines: 5_800,
    borders: 140,
    durableFiles: 55,
    durableLines: 1_300,
    durableBorders: 15,
    writes: 12,
    tables: 5,
    // Statements, `begin` and `commit` among them, and up to three of timers.
    verificationTrips: 17,
    verificationCommits: 3,
    executionTrips: 12,
    executionCommits: 3,
  },
  postgres: {
    files: 295,
    lines: 5_800,
    borders: 140,
    durableFiles: 55,
    durableLines: 1_300,
    durableBorders: 15,
    writes: 12,
    tables: 5,
    verificationTrips: 8,
    verificationCommits: 3,
    executionTrips: 3,
    executionCommits: 3,
  },
};
