import type { Engine, MigrationStep } from "@crosszone/sql";
import { sql, type CreateTableBuilder, type Generated, type Kysely } from "kysely";

/** Columns that the bus's tables share. Times are Unix milliseconds, by the database's clock. */
export interface MessageColumns {
  channel: string;
  /** Digest of channel, group and message key. Messages with one digest are handled in order. */
  key: string;
  /** The message, JSON, may be sealed. */
  value: string;
  /** JSON. */
  headers: string;
  /** Digest of the team that owns the data. */
  team: string | null;
}

/** A message that waits for a group or is being handled: one row for each group. */
export interface BusMessageTable extends MessageColumns {
  /** Gives the order within a key. */
  id: Generated<number>;
  consumer_group: string;
  published_at: number;
  /** Number of deliveries. */
  attempt: number;
  /** Random id of the current lease. Required to change the row. */
  lease: string | null;
  /** The message can be leased from this time: 0 at first, later the end of the lease or of the backoff. */
  visible_at: number;
}

export interface BusDeadLetterTable extends MessageColumns {
  /** Never reused, so that an operator's id can't mean a later letter. */
  id: Generated<number>;
  consumer_group: string;
  reason: string;
  attempts: number;
  dead_at: number;
}

/** A message published by a transaction and not yet sent to an external bus. */
export interface BusOutboxTable extends MessageColumns {
  id: Generated<number>;
  created_at: number;
  /** Random id of the sender's lease. Required to change the row. */
  lease: string | null;
  /** End of the sender's lease; 0 if it can be leased at once. */
  lease_until: number;
}

/** The tables of the bus, for the type of a zone's database. With Kafka they store the outbox and the messages that no topic accepted. */
export interface BusTables {
  bus_message: BusMessageTable;
  bus_dead_letter: BusDeadLetterTable;
  bus_outbox: BusOutboxTable;
}

/** Creates the tables of the bus on either engine, and drops them. */
export const busStep: MigrationStep = {
  up: async (db, engine) => {
    await table(db, engine, "bus_message")
      .addColumn("consumer_group", "text", (column) => column.notNull())
      .addColumn("published_at", "bigint", (column) => column.notNull())
      .addColumn("attempt", "integer", (column) => column.notNull())
      .addColumn("lease", "text")
      .addColumn("visible_at", "bigint", (column) => column.notNull())
      .execute();
    await table(db, engine, "bus_dead_letter")
      .addColumn("consumer_group", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("dead_at", "bigint", (column) => column.notNull())
      .execute();
    await table(db, engine, "bus_outbox")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("lease", "text")
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .execute();
    await sql`create index bus_message_in_order on bus_message (channel, consumer_group, id)`.execute(db);
    await sql`create index bus_message_by_key on bus_message (key, id)`.execute(db);
    await sql`create index bus_dead_letter_in_order on bus_dead_letter (channel, id)`.execute(db);
    await sql`create index bus_dead_letter_by_time on bus_dead_letter (dead_at)`.execute(db);
    await sql`create index bus_dead_letter_by_team on bus_dead_letter (team) where team is not null`.execute(db);
    // PostgreSQL would compress text of rows that are deleted soon. https://www.postgresql.org/docs/current/storage-toast.html
    if (engine === "postgres")
      for (const name of ["bus_message", "bus_outbox"])
        await sql`alter table ${sql.table(name)} alter column value set storage external`.execute(db);
  },
  down: async (db) => {
    for (const name of ["bus_outbox", "bus_dead_letter", "bus_message"]) await db.schema.dropTable(name).execute();
  },
};

function table(db: Kysely<never>, engine: Engine, name: string): CreateTableBuilder<string> {
  return db.schema
    .createTable(name)
    .addColumn("id", engine === "sqlite" ? "integer" : "bigint", (column) => {
      if (engine === "postgres") return column.generatedAlwaysAsIdentity().primaryKey();
      // SQLite would reuse the last id after its row is deleted. Remembering it costs a write for each row, which is worth it for dead
      // letters: https://www.sqlite.org/autoinc.html
      return name === "bus_dead_letter" ? column.primaryKey().autoIncrement() : column.primaryKey();
    })
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("headers", "text", (column) => column.notNull())
    .addColumn("team", "text");
}
