import { withToken } from "../http/servers.ts";
import type { Engine } from "../kit/databases.ts";
import { answerText, type Dialect, type SizeName } from "../requests/messages.ts";

/** When a request is answered: as soon as its task is stored, or when its end is stored too. */
export const modes = ["accepted", "answered"] as const;
export type Mode = (typeof modes)[number];

/** A server that is measured. */
export interface Peer {
  readonly title: string;
  readonly protocol: "execute_task" | "a2a";
  readonly engine: Engine;
  /** Whether requests at the same time share a commit. */
  readonly grouped: boolean;
}

/** All of them, by the name that `--only` accepts. */
export const peers = {
  "no-store": { title: "crosszone, no store: a `Map`", protocol: "execute_task", engine: "memory", grouped: false },
  sqlite: { title: "**crosszone, SQLite, group commit**", protocol: "execute_task", engine: "sqlite", grouped: true },
  "sqlite-single": {
    title: "crosszone, SQLite, a commit a write",
    protocol: "execute_task",
    engine: "sqlite",
    grouped: false,
  },
  postgres: {
    title: "**crosszone, PostgreSQL, group commit**",
    protocol: "execute_task",
    engine: "postgres",
    grouped: true,
  },
  "postgres-single": {
    title: "crosszone, PostgreSQL, a commit a write",
    protocol: "execute_task",
    engine: "postgres",
    grouped: false,
  },
  "a2a-sdk": {
    title: "@a2a-js/sdk 1.3, its store on PostgreSQL",
    protocol: "a2a",
    engine: "postgres",
    grouped: false,
  },
} as const satisfies Record<string, Peer>;

export type PeerName = keyof typeof peers;
export const peerNames = Object.keys(peers) as PeerName[];

/** One server in one mode. */
export interface Subject {
  readonly peer: PeerName;
  readonly mode: Mode;
}

interface PeerRequest {
  readonly dialect: Dialect;
  readonly headers: Readonly<Record<string, string>>;
  /** What each right answer contains. */
  readonly expects: string;
}

/** The requests of a peer in a mode. */
export function requestOf({ peer, mode }: Subject): PeerRequest {
  const { protocol } = peers[peer];
  const isAccepted = mode === "accepted";
  if (protocol === "execute_task") return { ...withToken, expects: isAccepted ? '"task_id":"' : answerText };
  const headers = { "a2a-version": "1.0" };
  return isAccepted
    ? { dialect: "a2a-at-once", headers, expects: "TASK_STATE_SUBMITTED" }
    : { dialect: "a2a", headers, expects: answerText };
}

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
  readonly drainMs: number;
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
  drainMs: 100,
  windows: 3,
  windowMs: 150,
  kills: 3,
};

/** About a minute. */
export const quickPlan: Plan = {
  rounds: 1,
  warmUp: { ms: 1_000, requests: 3_000 },
  drainMs: 100,
  windows: 2,
  windowMs: 150,
  kills: 1,
};
