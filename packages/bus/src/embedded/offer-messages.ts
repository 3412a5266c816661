import { randomUUID } from "node:crypto";
import type { WrittenRow } from "./insert-messages.ts";
import type { NewMessageRow } from "./message-rows.ts";
import type { Consumer } from "./start-consumer.ts";

/** Messages that are about to be written, and who of this process gets them without looking for them. */
export interface Offer {
  readonly rows: readonly NewMessageRow[];
  /** Some consumer of this process is for some of them. */
  readonly isForSomebody: boolean;
  /** Half of the lease is over: others may take what has waited for so long. */
  readonly isLate: () => boolean;
  /** They are written, and may be handled; when it is late, they are withdrawn. */
  readonly accept: (written: readonly WrittenRow[]) => void;
  /** They are not written, or by now others may have them: consumers have their room back, and find what there is. */
  readonly withdraw: () => void;
}

/**
 * Keeps room for messages at consumers of this process that have nothing older to take. Such a message is written with its lease, and
 * its handler runs when it is written: nobody has to look for it. The others wait in the table, and consumers are told of them.
 */
export function offerMessages(consumers: Iterable<Consumer>, rows: readonly NewMessageRow[], leaseMs: number): Offer {
  const all = [...consumers];
  const madeAt = performance.now();
  const batch = randomUUID();
  const keys = new Set<string>();
  const offered = rows.map((row, place) => {
    const of = all.filter(({ isFor }) => isFor(row));
    // What follows in a key waits for what is before it.
    const taker = keys.has(row.key) ? undefined : of.find(({ reserve }) => reserve());
    keys.add(row.key);
    return { row, of, taker, lease: taker === undefined ? null : `${batch} ${place}` };
  });

  const isLate = (): boolean => performance.now() - madeAt > leaseMs / 2;
  const withdraw = (): void => {
    for (const { of, taker } of offered) {
      taker?.giveUp();
      for (const consumer of of) consumer.wake();
    }
  };

  return {
    isForSomebody: offered.some(({ of }) => of.length > 0),
    isLate,
    rows: offered.map(({ row, lease }) => ({ ...row, lease })),
    accept: (written) => {
      if (isLate()) return withdraw();
      const ids = new Map(written.map(({ id, lease }) => [lease, id]));
      for (const { row, of, taker, lease } of offered) {
        const id = lease === null ? undefined : ids.get(lease);
        if (taker !== undefined && id !== undefined && lease !== null) {
          taker.handOver({ ...row, id, lease, attempt: 1 });
          continue;
        }
        taker?.giveUp();
        for (const consumer of of) consumer.waits(row.key);
      }
    },
    withdraw,
  };
}
