import { withToken } from "../http/servers.ts";
import type { Engine } from "../kit/databases.ts";
import { answerText, type Dialect } from "../requests/messages.ts";

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
