import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Returns all addresses of a host, as `dns.lookup` does. */
export type Resolve = (hostname: string, options: LookupOptions & { all: true }, found: Found) => void;

export interface CheckedLookupOptions {
  /** Returns the addresses that may be connected to; throws when none may. */
  readonly pick: (hostname: string, addresses: readonly LookupAddress[]) => LookupAddress[];
  readonly resolve?: Resolve;
}

/**
 * Returns the lookup function of connections. It checks the addresses it returns, so a second DNS answer can't replace
 * them. The connection fails with the error of `pick`. Concurrent connections share one lookup per host, because a slow
 * lookup occupies a thread that file access also needs.
 */
export function createCheckedLookup({ pick, resolve = systemLookup }: CheckedLookupOptions): LookupFunction {
  const waiting = new Map<string, Found[]>();

  const findOnce = (hostname: string, family: LookupOptions["family"], found: Found): void => {
    const key = `${hostname} ${family}`;
    const others = waiting.get(key);
    if (others !== undefined) {
      others.push(found);
      return;
    }
    const all = [found];
    waiting.set(key, all);
    resolve(hostname, { ...(family !== undefined && { family }), all: true }, (error, addresses) => {
      waiting.delete(key);
      for (const each of all) each(error, addresses);
    });
  };

  return (hostname, { all, family }, callback) => {
    findOnce(hostname, family, (error, addresses) => {
      if (error !== null) return callback(error, []);
      try {
        const picked = pick(hostname, addresses);
        if (all === true) callback(null, picked);
        else callback(null, picked[0]?.address ?? "", picked[0]?.family);
      } catch (refusal) {
        callback(refusal as Error, []);
      }
    });
  };
}
