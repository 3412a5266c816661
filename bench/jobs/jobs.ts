/** The databases that jobs are measured on. */
export const engines = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;
export type Engine = keyof typeof engines;
export const engineNames = Object.keys(engines) as Engine[];

/** The programs that work on the same table, in alternation. */
export const subjects = { engine: "**the engine**", "by-hand": "by hand" } as const;
export type SubjectName = keyof typeof subjects;
export const subjectNames = Object.keys(subjects) as SubjectName[];

/** Shares of jobs; every second one has no room, and its jobs stay. */
export const shares: readonly string[] = Array.from({ length: 20 }, (_, n) => `bench ${String(n).padStart(2, "0")}`);
export const openShares: readonly string[] = shares.filter((_, n) => n % 2 === 1);

/** How many jobs one take leases, and one commit ends. */
export const batch = 100;

/** A job that a subject has leased. */
export interface Leased {
  readonly id: string;
  readonly attempt: number;
  readonly share: string;
  readonly record: string;
}

/** The work on jobs in one process. */
export interface Subject {
  /** Leases up to `batch` jobs of shares that have room. */
  readonly take: (open: readonly string[]) => Promise<readonly Leased[]>;
  readonly end: (jobs: readonly Leased[]) => Promise<void>;
  /** Stores a job of the share that any process may lease. */
  readonly add: (share: string, record: string) => Promise<void>;
  /** From now on leases every job of the share as soon as it knows of it, and ends it. */
  readonly receive: (share: string, onTaken: (record: string) => void) => Promise<void>;
}
