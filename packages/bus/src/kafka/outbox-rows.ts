import { forUpdate, now, nowText, rowsStatement, writeStatement, type Database } from "@crosszone/sql";
import { sql, type Kysely } from "kysely";
import type { ColumnCodec } from "../codec/column-codec.ts";
import type { BusOutboxTable, BusTables, MessageColumns } from "../embedded/bus-tables.ts";
import { messageColumns, placedColumns } from "../embedded/message-rows.ts";
import type { BusMessage } from "../bus-message.ts";

/** A message published by a transaction. */
export type OutboxRow = MessageColumns & { readonly id: number };

export interface OutboxRows {
  readonly add: <Tables>(db: Kysely<Tables>, messages: readonly BusMessage[]) => Promise<void>;
  /** Leases the oldest rows in order, for one process at a time: while it has some, no process gets later ones. */
  readonly take: (lease: string, leaseMs: number) => Promise<readonly OutboxRow[]>;
  readonly remove: (lease: string, taken: readonly OutboxRow[]) => Promise<void>;
  /** Releases unsent rows at once. */
  readonly giveBack: (lease: string, taken: readonly OutboxRow[]) => Promise<void>;
  /** Moves an unreadable row to the dead letters of the database. */
  readonly bury: (row: OutboxRow, reason: string) => Promise<void>;
}

/** Maximum number of rows leased and held in memory at once. Fewer if they are large. */
const most = 500;
const mostBytes = 16 * 1024 * 1024;

const inserting = rowsStatement({
  columns: placedColumns,
  text: (rows, engine) => `
    insert into bus_outbox (channel, key, value, headers, team, created_at, lease_until)
    select channel, key, value, headers, team, ${nowText[engine]}, 0 from ${rows} order by place`,
});

const deleting = writeStatement({
  table: "bus_outbox",
  key: "id",
  columns: { id: "bigint", lease: "text" },
  text: (rows) => `delete from bus_outbox where (id, lease) in (select id, lease from ${rows})`,
});

const idOf = ({ id }: OutboxRow): number => id;

export function createOutboxRows(database: Database<BusTables>, codec: ColumnCodec): OutboxRows {
  const { db, engine, transaction, unflushed, write } = database;

  async function takeOldest(of: Kysely<BusTables>, lease: string, leaseMs: number): Promise<readonly OutboxRow[]> {
    const { rows } = await sql<BusOutboxTable & { id: number }>`
      with first as materialized (
        select id, lease_until, sum(octet_length(value)) over (order by id) - octet_length(value) as bytes_before
        from (select id, lease_until, value from bus_outbox order by id limit ${most}) as oldest)
      update bus_outbox set lease = ${lease}, lease_until = ${now(engine)} + ${leaseMs}
      where id in (
        select id from first
        where bytes_before < ${mostBytes}
          and id < coalesce((select min(id) from first where lease_until > ${now(engine)}), 9007199254740991))
      returning id, channel, key, value, headers, team`.execute(of);
    return rows.toSorted((a, b) => a.id - b.id);
  }

  return {
    add: async (tx, messages) => {
      const rows = messages.map((message, place) => ({ place, ...messageColumns(message, codec) }));
      await inserting(tx, engine, rows);
    },

    take: async (lease, leaseMs) => {
      // Without a lock, because the outbox is usually empty.
      const free = db.selectFrom("bus_outbox").select("id").where("lease_until", "<=", now(engine)).limit(1);
      if ((await free.executeTakeFirst()) === undefined) return [];
      // On SQLite, concurrent callers wait for the whole statement.
      if (engine === "sqlite") return unflushed((of) => takeOldest(of, lease, leaseMs));
      return transaction(async (tx) => {
        const first = tx.selectFrom("bus_outbox").select(["id", "lease_until"]).orderBy("id").limit(1);
        // Concurrent callers wait here, then see the lease.
        await first.modifyEnd(forUpdate(engine)).execute();
        return takeOldest(tx, lease, leaseMs);
      });
    },

    // After a power loss they may be sent again.
    remove: async (lease, taken) => {
      const rows = taken.map(({ id }) => ({ id, lease }));
      if (rows.length > 0) await write(deleting, rows, { unflushed: true });
    },

    giveBack: async (lease, taken) => {
      if (taken.length === 0) return;
      const rows = db.updateTable("bus_outbox").where("id", "in", taken.map(idOf)).where("lease", "=", lease);
      await rows.set({ lease: null, lease_until: 0 }).execute();
    },

    bury: (row, reason) =>
      transaction(async (tx) => {
        const { id, channel, key, value, headers, team } = row;
        await tx.deleteFrom("bus_outbox").where("id", "=", id).execute();
        await tx
          .insertInto("bus_dead_letter")
          .values({
            channel,
            key,
            value,
            headers,
            team,
            reason,
            consumer_group: "outbox",
            attempts: 1,
            dead_at: now(engine),
          })
          .execute();
      }),
  };
}
