/** A client that is measured. */
export interface BenchClient {
  /** Asks once and gives the text of the answer. */
  call(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface ClientOptions {
  /** The server's RPC endpoint. */
  url: string;
  connections: number;
}

/** All clients, by the name that `--only` takes. Each is loaded in its own process only. */
export const clients = {
  "our-client": {
    title: "**crosszone client** over its HTTPS transport",
    create: async (options) => (await import("./crosszone.ts")).createCrosszoneClient(options),
  },
  "undici-pool": {
    title: "undici `Pool.request` and JSON alone",
    create: async (options) => (await import("./undici-pool.ts")).createPoolClient(options),
  },
  "global-fetch": {
    title: "global `fetch` and JSON alone",
    create: async (options) => (await import("./global-fetch.ts")).createFetchClient(options),
  },
  "jayson-client": {
    title: "jayson 5 client, kept connections",
    create: async (options) => (await import("./jayson.ts")).createJaysonClient(options),
  },
  "a2a-client": {
    title: "@a2a-js/sdk 1.3 client",
    create: async (options) => (await import("./a2a-sdk.ts")).createA2aClient(options),
  },
} as const satisfies Record<string, { title: string; create: (options: ClientOptions) => Promise<BenchClient> }>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];
