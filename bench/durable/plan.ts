import type { SizeName } from "../requests/messages.ts";

/** One load: requests of a size, one at a time on each connection. */
export interface Point {
  readonly size: SizeName;
  readonly connections: number;
}

export const points: readonly Point[] = [
  { size: "300 B", connections: 1 },
  { size: "300 B", connections: 10 },
  { size: "300 B", connections: 100 },
  { size: "16 KB", connections: 100 },
];

/** How much is measured. Times are milliseconds. */
export interface Plan {
  readonly rounds: number;
  /** Before the measurement in each process, at 10 connections: a time, or a number of requests if they take less. */
  readonly warmUp: { readonly ms: number; readonly requests: number };
  /** Spent on each point before it is measured. */
  readonly settleMs: number;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
  /** How often each server is killed. */
  readonly kills: number;
}

/** Under five minutes for everything. */
export const fullPlan: Plan = {
  rounds: 5,
  warmUp: { ms: 1_500, requests: 5_000 },
  settleMs: 100,
  windows: 3,
  windowMs: 150,
  kills: 3,
};

/** About a minute. */
export const quickPlan: Plan = {
  rounds: 1,
  warmUp: { ms: 1_000, requests: 3_000 },
  settleMs: 100,
  windows: 2,
  windowMs: 150,
  kills: 1,
};
