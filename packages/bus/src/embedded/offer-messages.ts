import { randomUUID } from "node:crypto";
import type { WrittenRow } from "./insert-messages.ts";
import type { NewMessageRow } from "./message-rows.ts";
import type { Consumer } from "./start-consumer.ts";

/** Messages that are about to be written, and who of this process gets them without looking for them. */
export interface Offer {
  readonly rows: readonly NewMessageRow[];
  /** They are written, and may be handled. */
  readonly accept: (written: readonly WrittenRow[]) => void;
  /** They are not written, or by now others may have them: consumers have their room back, and find what there is. */
  readonly withdraw: () => void;
}

/**
 * Keeps room for messages at consumers of this process that have nothing older to take. Such a message is written with its lease, and
 * its handler runs when it is written: nobody has to look for it. The others wait in the table, and consumers are told of them.
 */
export function offerMessages(consumers: Iterable<Consumer>, rows: readonly NewMessageRow[]): Offer {
  const all = [...consumers];
  const batch = randomUUID();
  const keys = new Set<string>();
  const offered = rows.map((row, place) => {
    const of = all.filter(({ isFor }) => isFor(row));
    // What follows in a key waits for what is before it.
    const taker = keys.has(row.key) ? undefined : of.find(({ reserve }) => reserve());
    keys.add(row.key);
    return { row, of, taker, lease: taker === undefined ? null : `${batch} ${place}` };
  });

  return {
    rows: offered.map(({ row, lease }) => ({ ...row, lease })),
    accept: (written) => {
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
    withdraw: () => {
      for (const { of, taker } of offered) {
        taker?.giveUp();
        for (const consumer of of) consumer.wake();
      }
    },
  };
}
