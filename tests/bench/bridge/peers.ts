/** Who gives tasks to agents and keeps what came of them. */
export const peers = {
  loop: { title: "a hand-written loop, 100 at once" },
  bridge: { title: "**the bridge, 100 at once**" },
  serial: { title: "one task at a time" },
} as const;

export type PeerName = keyof typeof peers;
export const peerNames = Object.keys(peers) as PeerName[];

export const buses = {
  sqlite: { title: "SQLite", engine: "sqlite" },
  postgres: { title: "PostgreSQL", engine: "postgres" },
  kafka: { title: "Kafka, the bridge's jobs on SQLite", engine: "sqlite" },
} as const;

export type BusName = keyof typeof buses;
export const busNames = Object.keys(buses) as BusName[];

/** One way to do it, in one place. */
export interface Subject {
  readonly peer: PeerName;
  readonly bus: BusName;
}

/** How many tasks of all agents are done at once: as many as the zone does by default. */
export const concurrency = 100;
