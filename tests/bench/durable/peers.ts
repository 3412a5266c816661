import type { Dialect } from "../messages.ts";
import { answerText } from "../messages.ts";

/** When a request is answered: as soon as its task is stored, or when its end is stored too. */
export const modes = ["accepted", "answered"] as const;
export type Mode = (typeof modes)[number];

/** A server that is measured. */
export interface Peer {
  readonly title: string;
  readonly protocol: "execute_task" | "a2a";
  /** What keeps its tasks. */
  readonly engine: "memory" | "sqlite" | "postgres";
  /** Whether requests that come at the same time share a commit. */
  readonly grouped: boolean;
}

/** All of them, by the name that `--only` takes. */
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

/** How a peer is asked, and what each right answer says. */
export interface Asking {
  readonly dialect: Dialect;
  readonly headers: Readonly<Record<string, string>>;
  readonly expects: string;
}

export const token = "bench-token-of-at-least-32-characters";

export function askingOf({ protocol }: Peer, mode: Mode): Asking {
  if (protocol === "a2a") {
    const headers = { "a2a-version": "1.0" };
    return mode === "accepted"
      ? { dialect: "a2a-at-once", headers, expects: "TASK_STATE_SUBMITTED" }
      : { dialect: "a2a", headers, expects: answerText };
  }
  const headers = { authorization: `Bearer ${token}` };
  return { dialect: "execute_task", headers, expects: mode === "accepted" ? '"task_id":"' : answerText };
}
