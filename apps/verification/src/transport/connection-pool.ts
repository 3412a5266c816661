import { Pool } from "undici";
import type { ClientTls } from "./credentials/client-certificate.ts";

export interface ConnectionPoolOptions {
  readonly origin: string;
  /** Connections that are kept open at most. */
  readonly connections: number;
  /** Asked before each request: another object than the last time is used from then on. */
  readonly tls: () => ClientTls | undefined;
}

export interface ConnectionPool {
  /** The pool for the next request. */
  readonly current: () => Pool;
  /** Cuts every connection. */
  readonly destroy: () => Promise<void>;
}

/** Kept connections to one host. When certificates were replaced, new requests go over new connections and the old ones end. */
export function createConnectionPool({ origin, connections, tls }: ConnectionPoolOptions): ConnectionPool {
  const open = new Set<Pool>();
  const connect = (material: ClientTls | undefined): Pool => {
    // The whole call has a limit of its own; undici's would cut long polls.
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
