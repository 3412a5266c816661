import type { Pace } from "./chains.ts";

/** One load: a number of runs at the same time, with agents that answer at that pace. */
export interface Point {
  readonly pace: Pace;
  readonly runs: number;
}

export const points: readonly Point[] = [
  { pace: "at once", runs: 64 },
  { pace: "in 20 ms", runs: 64 },
  { pace: "at once", runs: 1 },
  { pace: "in 20 ms", runs: 1 },
];

/** How many tasks of all agents a process runs at once: the zone's default. */
export const concurrency = 100;

/** One process, and then two, on the same work: 64 runs of all processes together. */
export interface ScalePoint {
  readonly pace: Pace;
  /** How many agents one process calls at once. */
  readonly concurrency: number;
  /** Whether the limit of calls decides; peers without such a limit are then left out. */
  readonly isBound: boolean;
  readonly what: string;
}

export const scalePoints: readonly ScalePoint[] = [
  {
    pace: "in 20 ms",
    concurrency: 8,
    isBound: true,
    what: "8 calls at once in a process, agents that answer in 20 ms",
  },
  { pace: "at once", concurrency, isBound: false, what: "agents that answer at once" },
];

/** How much is measured. Times are milliseconds. */
export interface Plan {
  readonly rounds: number;
  /** Before the measurement in each process. */
  readonly warmUpMs: number;
  /** Spent on each point before it is measured. */
  readonly settleMs: number;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
  /** The window of one run at a time: long enough to include its slowest runs. */
  readonly aloneMs: number;
  /** Items of the loop. */
  readonly items: number;
  readonly loops: number;
  /** How often one process and two are measured, by turns. */
  readonly turns: number;
}

/** About fifteen minutes for everything. */
export const fullPlan: Plan = {
  rounds: 3,
  warmUpMs: 3_000,
  settleMs: 500,
  windows: 3,
  windowMs: 1_000,
  aloneMs: 4_000,
  items: 1_000,
  loops: 3,
  turns: 3,
};

/** About four minutes. */
export const quickPlan: Plan = {
  rounds: 1,
  warmUpMs: 2_000,
  settleMs: 300,
  windows: 2,
  windowMs: 700,
  aloneMs: 2_000,
  items: 1_000,
  loops: 2,
  turns: 1,
};
