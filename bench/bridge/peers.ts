/** The programs that give tasks to agents and store their results. */
export const peers = { loop: "the loop", bridge: "**the bridge**" } as const;

export type PeerName = keyof typeof peers;
export const peerNames = Object.keys(peers) as PeerName[];

export const buses = {
  sqlite: { title: "SQLite", engine: "sqlite" },
  postgres: { title: "PostgreSQL", engine: "postgres" },
  kafka: { title: "Kafka, jobs on SQLite", engine: "sqlite" },
} as const;

export type BusName = keyof typeof buses;
export const busNames = Object.keys(buses) as BusName[];

/** How many tasks of all agents run at once: the zone's default. */
export const concurrency = 100;
