/** The databases that jobs are measured on. */
export const engines = ["sqlite", "postgres"] as const;
export type Engine = (typeof engines)[number];

export const engineTitles: Readonly<Record<Engine, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** The programs that work on the same table, in alternation. */
export const subjects = ["engine", "by-hand"] as const;
export type SubjectName = (typeof subjects)[number];

export const subjectTitles: Readonly<Record<SubjectName, string>> = { engine: "engine", "by-hand": "by hand" };

/** The measurements. */
export const parts = ["drain", "kept", "snapshot", "lanes", "wake"] as const;
export type Part = (typeof parts)[number];

/** The number of shares of jobs; every second share has no room, and its jobs stay. */
export const shareCount = 20;
export const shares: readonly string[] = Array.from(
  { length: shareCount },
  (_, n) => `bench ${String(n).padStart(2, "0")}`,
);
export const openShares: readonly string[] = shares.filter((_, n) => n % 2 === 1);

/** How many jobs one take leases, and one commit ends. */
export const batch = 100;

/** How much is measured. Times are milliseconds. */
export interface Plan {
  readonly rounds: number;
  /** Waiting jobs, in rising order. */
  readonly sizes: readonly number[];
  /** Ended jobs that are kept. */
  readonly kept: number;
  /** Spent taking and ending on each point. */
  readonly drainMs: number;
  readonly snapshot: { readonly waiting: number; readonly drained: number };
  /** The jobs of one lane, in front of other lanes of one job each. */
  readonly lanes: { readonly inFront: number; readonly others: number };
  readonly wake: { readonly rates: readonly number[]; readonly ms: number };
}

/** About fifteen minutes. */
export const fullPlan: Plan = {
  rounds: 3,
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  kept: 1_000_000,
  drainMs: 2_000,
  snapshot: { waiting: 200_000, drained: 60_000 },
  lanes: { inFront: 100_000, others: 1_000 },
  wake: { rates: [10, 1_000], ms: 10_000 },
};

/** About a minute. */
export const quickPlan: Plan = {
  rounds: 1,
  sizes: [1_000, 10_000],
  kept: 20_000,
  drainMs: 400,
  snapshot: { waiting: 20_000, drained: 6_000 },
  lanes: { inFront: 10_000, others: 1_000 },
  wake: { rates: [10, 1_000], ms: 1_500 },
};
