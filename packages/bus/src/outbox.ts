import type { Transaction } from "kysely";
import type { BusMessage } from "./bus-message.ts";

/** Publishes what a transaction of the zone's own database decides, if and only if it commits. */
export interface Outbox {
  /** Within a transaction of the database that the bus was made with; many messages are one statement. */
  readonly add: <Tables>(transaction: Transaction<Tables>, messages: readonly BusMessage[]) => Promise<void>;
  /** After the commit: sends at once what would be found within a second anyway. Never throws. */
  readonly wake: () => void;
}
