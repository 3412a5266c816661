import type { AgentGroupName } from "../agents/agents.ts";

/** The programs that give tasks to agents and store their results. */
export const peers = {
  loop: { title: "a hand-written loop, 100 at once" },
  bridge: { title: "**the bridge, 100 at once**" },
  serial: { title: "one task at a time" },
} as const;

export type PeerName = keyof typeof peers;
export const peerNames = Object.keys(peers) as PeerName[];

export const buses = {
  sqlite: { title: "SQLite", short: "SQLite", engine: "sqlite" },
  postgres: { title: "PostgreSQL", short: "PostgreSQL", engine: "postgres" },
  kafka: { title: "Kafka, the bridge's jobs on SQLite", short: "Kafka", engine: "sqlite" },
} as const;

export type BusName = keyof typeof buses;
export const busNames = Object.keys(buses) as BusName[];

/** One peer on one bus. */
export interface Subject {
  readonly peer: PeerName;
  readonly bus: BusName;
}

/** How many tasks of all agents run at once: the zone's default. */
export const concurrency = 100;

/** One load: a number of tasks in flight, for agents that are alike. */
export interface Point {
  readonly agents: AgentGroupName;
  readonly inFlight: number;
}

export const atOnce: Point = { agents: "at once", inFlight: 200 };
export const in20Ms: Point = { agents: "in 20 ms", inFlight: 200 };
export const points: readonly Point[] = [atOnce, in20Ms, { agents: "at once", inFlight: 1 }];

/** How much is measured. Times are milliseconds. */
export interface Plan {
  readonly rounds: number;
  /** Before the measurement in each process. */
  readonly warmUpMs: number;
  /** Spent on each point before it is measured. */
  readonly drainMs: number;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
  /** How often each is measured of two that alternate: the protocols, and agents with and without slow ones. */
  readonly turns: number;
  readonly fairWindowMs: number;
  /** Tasks that wait while the process is measured. */
  readonly backlog: number;
}

/** About ten minutes for everything. */
export const fullPlan: Plan = {
  rounds: 3,
  warmUpMs: 2_000,
  drainMs: 300,
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
  drainMs: 200,
  windows: 2,
  windowMs: 500,
  turns: 2,
  fairWindowMs: 2_000,
  backlog: 10_000,
};
