import { columnText, createGroupCommit, now, nowText, writeStatement, type Database } from "@crosszone/sql";
import type { BusPlace } from "../bus-observer.ts";
import type { BusTables } from "./bus-tables.ts";
import { takeMessages, type TakenRow } from "./take-messages.ts";

/** A message whose lease is released; it is delivered again after a delay. */
export interface ReleasedRow {
  readonly row: TakenRow;
  readonly afterMs: number;
  /** The number of deliveries to store. */
  readonly attempt: number;
}

/** The stored messages of all groups and their leases. Only the current lease holder can change a message. */
export interface MessageStore {
  /** Leases messages of a group, oldest first. Skips messages with an earlier message of the same key. */
  readonly take: (from: BusPlace, most: number) => Promise<readonly TakenRow[]>;
  /** Commits a message. Resolves with false when its lease was lost. After a power loss it may be delivered again. */
  readonly done: (row: TakenRow) => Promise<boolean>;
  /** Renews leases; returns the messages whose leases were lost. */
  readonly renew: (rows: readonly TakenRow[]) => Promise<readonly TakenRow[]>;
  readonly release: (rows: readonly ReleasedRow[]) => Promise<void>;
  /** Turns a message into a dead letter. */
  readonly bury: (row: TakenRow, reason: string) => Promise<void>;
}

const held = { id: "bigint", lease: "text" } as const;

export function createMessageStore(database: Database<BusTables>, leaseMs: number): MessageStore {
  const { engine } = database;
  const deleting = writeStatement({
    table: "bus_message",
    key: "id",
    columns: held,
    text: (rows) => `delete from bus_message where (id, lease) in (select id, lease from ${rows})`,
  });
  const renewing = writeStatement({
    table: "bus_message",
    key: "id",
    columns: { ...held, lease_ms: "bigint" },
    text: (rows) => `update bus_message set visible_at = ${nowText[engine]} + new.lease_ms
      from ${rows} where bus_message.id = new.id and bus_message.lease = new.lease`,
  });
  const releasing = writeStatement({
    table: "bus_message",
    key: "id",
    columns: { ...held, after_ms: "bigint", attempt: "bigint" },
    text: (
      rows,
    ) => `update bus_message set lease = null, visible_at = ${nowText[engine]} + new.after_ms, attempt = new.attempt
      from ${rows} where bus_message.id = new.id and bus_message.lease = new.lease`,
  });
  const key = ({ id, lease }: TakenRow) => ({ id, lease });
  const done = createGroupCommit((rows: readonly TakenRow[]) =>
    database.write(deleting, rows.map(key), { unflushed: true }),
  );

  return {
    take: (from, most) => takeMessages(database, from, { most, leaseMs }),

    done,

    renew: async (rows) => {
      const renewed = await database.write(
        renewing,
        rows.map((row) => ({ ...key(row), lease_ms: leaseMs })),
      );
      return rows.filter((_, index) => !renewed[index]);
    },

    release: async (released) => {
      const rows = released.map(({ row, afterMs, attempt }) => ({ ...key(row), after_ms: afterMs, attempt }));
      if (rows.length > 0) await database.write(releasing, rows);
    },

    bury: (row, reason) =>
      database.transaction(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom("bus_message")
          .where("id", "=", row.id)
          .where("lease", "=", row.lease)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return;
        const { id: _id, lease: _lease, attempt: attempts, ...kept } = row;
        await transaction
          .insertInto("bus_dead_letter")
          .values({ ...kept, reason: storable(reason), attempts, dead_at: now(engine) })
          .execute();
      }),
  };
}

/** A handler's text can contain characters that a text column can't store. */
const storable = (text: string): string => columnText(text.slice(0, 2_000));
