import type { Engine, MigrationStep } from "@crosszone/sql";
import { sql, type CreateTableBuilder, type Generated, type Kysely } from "kysely";

/** What the tables of the bus have in common. Times are Unix milliseconds, by the database's clock. */
export interface MessageColumns {
  channel: string;
  /** Digest of the message's key, with its channel and group: those of one digest are handled in order. */
  key: string;
  /** The message, JSON, may be sealed. */
  value: string;
  /** JSON. */
  headers: string;
  /** Digest of the team whose data it is. */
  team: string | null;
}

/** A message that waits for a group, or is handled by it: one row a group. */
export interface BusMessageTable extends MessageColumns {
  /** Gives the order within a key. */
  id: Generated<number>;
  consumer_group: string;
  published_at: number;
  /** How often it was delivered. */
  attempt: number;
  /** Drawn when it was taken: only who knows it may change the row. */
  lease: string | null;
  /** From then on it may be taken: 0 at first; the end of the lease, or of the wait after a failure. */
  visible_at: number;
}

export interface BusDeadLetterTable extends MessageColumns {
  /** Never used again: an operator who names one does not mean a later one. */
  id: Generated<number>;
  consumer_group: string;
  reason: string;
  attempts: number;
  dead_at: number;
}

/** What a transaction decided to publish, until a bus elsewhere has it. */
export interface BusOutboxTable extends MessageColumns {
  id: Generated<number>;
  created_at: number;
  /** Drawn when it was taken to be sent: only who knows it may change the row. */
  lease: string | null;
  /** Until then it is sent by who took it; 0: it may be taken at once. */
  lease_until: number;
}

/** The tables of the bus, for the type of a zone's database. Beside Kafka they have the outbox, and what of it no topic took. */
export interface BusTables {
  bus_message: BusMessageTable;
  bus_dead_letter: BusDeadLetterTable;
  bus_outbox: BusOutboxTable;
}

/** Makes the tables of the bus on either engine, and takes them away. */
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
    // PostgreSQL would try to shrink text of rows that are gone in a moment. https://www.postgresql.org/docs/current/storage-toast.html
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
      // SQLite would give the last id again once its row is gone. Remembering it costs a write for each row, which dead letters repay:
      // https://www.sqlite.org/autoinc.html
      return name === "bus_dead_letter" ? column.primaryKey().autoIncrement() : column.primaryKey();
    })
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("headers", "text", (column) => column.notNull())
    .addColumn("team", "text");
}
