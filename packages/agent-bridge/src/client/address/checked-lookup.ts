import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Finds all addresses of a name, as `dns.lookup` does. */
export type Resolve = (hostname: string, options: LookupOptions & { all: true }, found: Found) => void;

export interface CheckedLookupOptions {
  /** The addresses that may be connected to; throws when there is none. */
  readonly pick: (hostname: string, addresses: readonly LookupAddress[]) => LookupAddress[];
  readonly resolve?: Resolve;
}

/**
 * The lookup of a connection itself: it connects to an address that was checked, and no second answer of DNS can put another in its
 * place. The connection fails with what `pick` throws.
 * A name is looked up once however many connections wait for it, since a slow answer takes a thread that files need too.
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
