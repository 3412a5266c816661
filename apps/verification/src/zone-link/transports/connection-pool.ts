import { Pool } from "undici";
import type { ClientTls } from "../credentials/client-certificate.ts";

export interface ConnectionPoolOptions {
  readonly origin: string;
  /** Maximum number of open connections. */
  readonly connections: number;
  /** Called before each request; a new object replaces the connections. */
  readonly tls: () => ClientTls | undefined;
}

export interface ConnectionPool {
  /** Returns the pool for the next request. */
  readonly current: () => Pool;
  /** Closes every connection immediately. */
  readonly destroy: () => Promise<void>;
}

/** Keeps connections to one host. After certificates are replaced, new requests use new connections and the old ones end. */
export function createConnectionPool({ origin, connections, tls }: ConnectionPoolOptions): ConnectionPool {
  const open = new Set<Pool>();
  const connect = (material: ClientTls | undefined): Pool => {
    // The whole call has its own timeout; undici's would cut long polls.
    const made = new Pool(origin, {
      connections,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: 5_000, ...material },
    });
    open.add(made);
    return made;
  };
  let used = tls();
  let pool = connect(used);

  return {
    current: () => {
      const next = tls();
      if (next === used) return pool;
      const old = pool;
      used = next;
      pool = connect(next);
      void old.close().finally(() => open.delete(old));
      return pool;
    },
    destroy: async () => {
      await Promise.all([...open].map((one) => one.destroy()));
    },
  };
}
