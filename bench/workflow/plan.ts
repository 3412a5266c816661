import type { Engine } from "../kit/databases.ts";
import type { Pace } from "./chains.ts";

/** A program that runs workflows of steps. */
export interface Peer {
  readonly title: string;
  readonly kind: "plain" | "careful" | "dbos" | "crosszone";
  readonly engine: Engine;
  readonly onKafka: boolean;
  /** The peer on the same engine, written by hand, that it is compared with. */
  readonly fair?: string;
}

const careful = { kind: "careful", onKafka: false } as const;
const crosszone = { kind: "crosszone", onKafka: false } as const;
const onSqlite = { engine: "sqlite", fair: "careful-sqlite" } as const;
const onPostgres = { engine: "postgres", fair: "careful-postgres" } as const;

/** All of them, by the name that `--only` accepts. */
export const peers = {
  plain: { title: "by hand, nothing is kept", kind: "plain", engine: "memory", onKafka: false },
  "careful-sqlite": { title: "by hand, a row a step, SQLite", ...careful, engine: "sqlite" },
  "careful-postgres": { title: "by hand, a row a step, PostgreSQL", ...careful, engine: "postgres" },
  dbos: { title: "DBOS Transact 5.3, PostgreSQL", kind: "dbos", onKafka: false, ...onPostgres },
  sqlite: { title: "**Crosszone, SQLite**", ...crosszone, ...onSqlite },
  postgres: { title: "**Crosszone, PostgreSQL**", ...crosszone, ...onPostgres },
  kafka: { title: "**Crosszone, Kafka and PostgreSQL**", ...crosszone, ...onPostgres, onKafka: true },
} as const satisfies Record<string, Peer>;

export type PeerName = keyof typeof peers;
export const peerNames = Object.keys(peers) as PeerName[];

/** The peer that does the same by hand on the same engine, if any. */
export function fairPeerOf(name: PeerName): PeerName | undefined {
  const peer = peers[name];
  return "fair" in peer ? peer.fair : undefined;
}

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
  readonly drainMs: number;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
  /** The window of one run at a time: long enough to include its slowest runs. */
  readonly aloneMs: number;
  /** Items of the loop. */
  readonly items: number;
  readonly loops: number;
  /** Number of rounds with one process and two, in alternation. */
  readonly turns: number;
}

/** About fifteen minutes for everything. */
export const fullPlan: Plan = {
  rounds: 3,
  warmUpMs: 3_000,
  drainMs: 500,
  windows: 3,
  windowMs: 1_000,
  aloneMs: 4_000,
  items: 1_000,
  loops: 3,
  turns: 3,
};

/** About six minutes. */
export const quickPlan: Plan = {
  rounds: 1,
  // Less would measure code that is not optimized yet.
  warmUpMs: 6_000,
  drainMs: 300,
  windows: 2,
  windowMs: 700,
  aloneMs: 2_000,
  items: 1_000,
  loops: 2,
  turns: 1,
};
