import type { Database } from "@crosszone/sql";
import type { Transaction } from "kysely";
import type { BusMessage } from "./bus-message.ts";

/** Publishes messages if and only if a transaction of the zone's database commits. */
export interface Outbox {
  /** Call it within a transaction of the bus's database. Many messages are one statement. */
  readonly add: <Tables>(transaction: Transaction<Tables>, messages: readonly BusMessage[]) => Promise<void>;
  /**
   * Call it after the commit, to send at once what polling would find within a second. Passing the committed transaction saves a query.
   * Never throws.
   */
  readonly wake: (committed?: object) => void;
}

/** Runs a transaction, and sends its outbox messages right after the commit. */
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
