/** A client that is measured. */
export interface BenchClient {
  /** Makes one call and returns the text of the answer. */
  readonly call: () => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

export interface ClientOptions {
  /** The server's RPC endpoint. */
  readonly url: string;
  readonly connections: number;
}

type Create = (options: ClientOptions) => Promise<BenchClient>;

/** All clients, by the name that `--only` accepts. Each is loaded in its own process only. */
export const clients = {
  "our-client": {
    title: "**crosszone client** over its HTTPS transport",
    create: async (options) => (await import("./clients/crosszone.ts")).createCrosszoneClient(options),
  },
  "undici-pool": {
    title: "undici `Pool.request` and JSON alone",
    create: async (options) => (await import("./clients/plain.ts")).createPoolClient(options),
  },
  "global-fetch": {
    title: "global `fetch` and JSON alone",
    create: async (options) => (await import("./clients/plain.ts")).createFetchClient(options),
  },
  "jayson-client": {
    title: "jayson 5 client, kept connections",
    create: async (options) => (await import("./clients/jayson.ts")).createJaysonClient(options),
  },
  "a2a-client": {
    title: "@a2a-js/sdk 1.3 client",
    create: async (options) => (await import("./clients/a2a-sdk.ts")).createA2aClient(options),
  },
} as const satisfies Record<string, { title: string; create: Create }>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];
