import type { MigrationStep } from "@crosszone/sql";
import { sql, type Generated } from "kysely";

/** A message that no topic accepted. `dead_at` in Unix milliseconds, by the database's clock. */
export interface BusDeadLetterTable {
  /** Never reused, so that an operator's id can't mean a later letter. */
  id: Generated<number>;
  channel: string;
  /** Digest of channel, group and message key. */
  key: string;
  /** The message, JSON, may be sealed. */
  value: string;
  /** JSON. */
  headers: string;
  /** Digest of the team that owns the data. */
  team: string | null;
  consumer_group: string;
  reason: string;
  attempts: number;
  dead_at: number;
}

/** The gateway's own table in the zone's database. */
export interface DeadLetterTables {
  bus_dead_letter: BusDeadLetterTable;
}

/** Returns the context of the column `value`. */
export const messageContext = (row: { readonly channel: string; readonly key: string }): string =>
  `bus message ${row.channel} ${row.key}`;

/** Creates and drops the table of dead letters. */
export const deadLettersStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema
      .createTable("bus_dead_letter")
      // SQLite would reuse the last id after its row is deleted: https://www.sqlite.org/autoinc.html
      .addColumn("id", engine === "sqlite" ? "integer" : "bigint", (column) =>
        engine === "sqlite" ? column.primaryKey().autoIncrement() : column.generatedAlwaysAsIdentity().primaryKey(),
      )
      .addColumn("channel", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("value", "text", (column) => column.notNull())
      .addColumn("headers", "text", (column) => column.notNull())
      .addColumn("team", "text")
      .addColumn("consumer_group", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("dead_at", "bigint", (column) => column.notNull())
      .execute();
    await sql`create index bus_dead_letter_in_order on bus_dead_letter (channel, id)`.execute(db);
    await sql`create index bus_dead_letter_by_time on bus_dead_letter (dead_at)`.execute(db);
    await sql`create index bus_dead_letter_by_team on bus_dead_letter (team) where team is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropTable("bus_dead_letter").execute();
  },
};
