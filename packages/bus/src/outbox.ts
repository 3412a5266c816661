import type { Database } from "@crosszone/sql";
import type { Transaction } from "kysely";
import type { BusMessage } from "./bus-message.ts";

/** Publishes what a transaction of the zone's own database decides, if and only if it commits. */
export interface Outbox {
  /** Within a transaction of the database that the bus was made with; many messages are one statement. */
  readonly add: <Tables>(transaction: Transaction<Tables>, messages: readonly BusMessage[]) => Promise<void>;
  /**
   * After the commit: sends at once what would be found within a second anyway. Who names the transaction that has committed saves the
   * bus a look for which it was. Never throws.
   */
  readonly wake: (committed?: object) => void;
}

/** Runs a transaction, and sends at once what it has added to the outbox when it has committed. */
export async function transactAndSend<Tables, T>(
  database: Pick<Database<Tables>, "transaction">,
  outbox: Pick<Outbox, "wake">,
  run: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  let committed: Transaction<Tables> | undefined;
  const done = await database.transaction((transaction) => {
    committed = transaction;
    return run(transaction);
  });
  outbox.wake(committed);
  return done;
}
