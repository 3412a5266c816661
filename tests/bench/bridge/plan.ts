import type { AgentGroupName } from "../agents/agents.ts";

/** One load: so many tasks under way at the same time, for agents that are alike. */
export interface Point {
  readonly agents: AgentGroupName;
  readonly inFlight: number;
}

export const points: readonly Point[] = [
  { agents: "at once", inFlight: 200 },
  { agents: "in 20 ms", inFlight: 200 },
  { agents: "at once", inFlight: 1 },
];

/** How much is measured. Times are milliseconds. */
export interface Plan {
  readonly rounds: number;
  /** Comes first in each process, and is not measured. */
  readonly warmUpMs: number;
  /** Spent on each point before it is measured. */
  readonly settleMs: number;
  /** What is measured is looked at through so many windows, and the best one counts. */
  readonly windows: number;
  readonly windowMs: number;
  /** Both protocols, and agents with and without slow ones beside them, in turns: so many of each. */
  readonly turns: number;
  readonly fairWindowMs: number;
  /** Tasks that wait while the process is looked at. */
  readonly backlog: number;
}

/** About ten minutes for everything. */
export const fullPlan: Plan = {
  rounds: 3,
  warmUpMs: 2_000,
  settleMs: 300,
  windows: 3,
  windowMs: 700,
  turns: 4,
  fairWindowMs: 3_000,
  backlog: 100_000,
};

/** About two minutes. */
export const quickPlan: Plan = {
  rounds: 1,
  warmUpMs: 1_500,
  settleMs: 200,
  windows: 2,
  windowMs: 500,
  turns: 2,
  fairWindowMs: 2_000,
  backlog: 10_000,
};
