import type { Peer } from "../durable/peers.ts";

/** A way to bring runs of steps forward. */
export interface RunPeerKind {
  readonly title: string;
  readonly kind: "plain" | "careful" | "dbos" | "crosszone";
  /** What keeps it. */
  readonly engine: Peer["engine"];
  readonly onKafka: boolean;
  /** Whom it is compared with: the same engine, written by hand. */
  readonly fair?: string;
}

/** All of them, by the name that `--only` takes. */
export const peers = {
  plain: { title: "by hand, nothing is kept", kind: "plain", engine: "memory", onKafka: false },
  "careful-sqlite": { title: "by hand, a row a step, SQLite", kind: "careful", engine: "sqlite", onKafka: false },
  "careful-postgres": {
    title: "by hand, a row a step, PostgreSQL",
    kind: "careful",
    engine: "postgres",
    onKafka: false,
  },
  dbos: {
    title: "DBOS Transact 5.3, PostgreSQL",
    kind: "dbos",
    engine: "postgres",
    onKafka: false,
    fair: "careful-postgres",
  },
  sqlite: {
    title: "**Crosszone, SQLite**",
    kind: "crosszone",
    engine: "sqlite",
    onKafka: false,
    fair: "careful-sqlite",
  },
  postgres: {
    title: "**Crosszone, PostgreSQL**",
    kind: "crosszone",
    engine: "postgres",
    onKafka: false,
    fair: "careful-postgres",
  },
  kafka: {
    title: "**Crosszone, Kafka and PostgreSQL**",
    kind: "crosszone",
    engine: "postgres",
    onKafka: true,
    fair: "careful-postgres",
  },
} as const satisfies Record<string, RunPeerKind>;

export type PeerName = keyof typeof peers;
export const peerNames = Object.keys(peers) as PeerName[];

/** The peer that does the same by hand on the same engine, if there is one. */
export function fairPeerOf(name: PeerName): PeerName | undefined {
  const peer = peers[name];
  return "fair" in peer ? peer.fair : undefined;
}
