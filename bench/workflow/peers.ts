import type { AgentRecord } from "@crosszone/contracts";
import type { Engine } from "../kit/databases.ts";
import { answerText } from "../agents/dialects.ts";
import type { PeerStorage } from "../agents/services.ts";
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

/** All of them. */
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

/** Reports the end of a chain: the text of its last agent, or why there is none. */
export function reportEnd(onEnded: RunPeerDeps["onEnded"], runId: string, chain: Promise<string>): void {
  chain.then(
    (text) => onEnded(runId, text === answerText ? undefined : text),
    (error: unknown) => onEnded(runId, String(error)),
  );
}

/** The program that advances runs, in one process. */
export interface RunPeer {
  /** Starts a run of a chain and returns its id. `onEnded` reports its end, perhaps in another process. */
  readonly begin: (pace: Pace, chain: number) => Promise<string>;
}

export interface RunPeerDeps extends PeerStorage {
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
  /** How many agents are called at once; peers written by hand call one for each run. */
  readonly concurrency: number;
  /** A step is done, and stored if the peer stores steps. */
  readonly onStep: (runId: string) => void;
  /** `problem` when the run's output is wrong. */
  readonly onEnded: (runId: string, problem: string | undefined) => void;
}
