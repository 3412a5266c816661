import { randomUUID } from "node:crypto";
import type { WrittenRow } from "./insert-messages.ts";
import type { NewMessageRow } from "./message-rows.ts";
import type { Consumer } from "./start-consumer.ts";

/** Messages about to be written, and the local consumers that get them without polling. */
export interface Offer {
  readonly rows: readonly NewMessageRow[];
  /** Whether a local consumer has room for any of them. */
  readonly isForSomebody: boolean;
  /** Returns true after half of the lease, when other processes may soon lease waiting messages. */
  readonly isLate: () => boolean;
  /** The messages are written and can be handled. Withdraws them if it is late. */
  readonly accept: (written: readonly WrittenRow[]) => void;
  /** The messages are not written, or others may have leased them. Consumers get their room back and poll. */
  readonly withdraw: () => void;
}

/**
 * Reserves room for messages at local consumers that have no older messages to take. Such a message is written with its lease and handled
 * at once, without polling. The others wait in the table, and their consumers are notified.
 */
export function offerMessages(consumers: Iterable<Consumer>, rows: readonly NewMessageRow[], leaseMs: number): Offer {
  const all = [...consumers];
  const madeAt = performance.now();
  const batch = randomUUID();
  const keys = new Set<string>();
  const offered = rows.map((row, place) => {
    const of = all.filter(({ isFor }) => isFor(row));
    // A later message of a key waits for the earlier one.
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
