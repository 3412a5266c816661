import { deadLettersStep } from "@crosszone/kafka-gateway";
import type { Engine, MigrationStep } from "@crosszone/sql";
import { sql, type CreateTableBuilder, type Kysely } from "kysely";

/** Creates and drops the tables of the bus as it was before jobs. The step that creates jobs drops all but the dead letters. */
export const busStep: MigrationStep = {
  up: async (db, engine) => {
    await createMessageTables(db, engine);
    await deadLettersStep.up(db, engine);
    await sql`create index bus_message_by_key on bus_message (key, id)`.execute(db);
  },
  down: async (db, engine) => {
    await deadLettersStep.down(db, engine);
    for (const name of ["bus_outbox", "bus_message"]) await db.schema.dropTable(name).execute();
  },
};

/** Replaces the index of messages by key with one that sorts by group first. `down` restores the old index. */
export const busLanesStep: MigrationStep = {
  up: async (db) => {
    await sql`create index bus_message_by_lane on bus_message (channel, consumer_group, key, id)`.execute(db);
    await sql`drop index bus_message_by_key`.execute(db);
  },
  down: async (db) => {
    await sql`create index bus_message_by_key on bus_message (key, id)`.execute(db);
    await sql`drop index bus_message_by_lane`.execute(db);
  },
};

/** Creates the tables of messages again as they were before jobs, for a migration back. */
export async function createBusTables(db: Kysely<never>, engine: Engine): Promise<void> {
  await createMessageTables(db, engine);
  await sql`create index bus_message_by_lane on bus_message (channel, consumer_group, key, id)`.execute(db);
}

async function createMessageTables(db: Kysely<never>, engine: Engine): Promise<void> {
  await table(db, engine, "bus_message")
    .addColumn("consumer_group", "text", (column) => column.notNull())
    .addColumn("published_at", "bigint", (column) => column.notNull())
    .addColumn("attempt", "integer", (column) => column.notNull())
    .addColumn("lease", "text")
    .addColumn("visible_at", "bigint", (column) => column.notNull())
    .execute();
  await table(db, engine, "bus_outbox")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("lease", "text")
    .addColumn("lease_until", "bigint", (column) => column.notNull())
    .execute();
  await sql`create index bus_message_in_order on bus_message (channel, consumer_group, id)`.execute(db);
  // PostgreSQL would compress text of rows that are deleted soon. https://www.postgresql.org/docs/current/storage-toast.html
  if (engine === "postgres")
    for (const name of ["bus_message", "bus_outbox"])
      await sql`alter table ${sql.table(name)} alter column value set storage external`.execute(db);
}

function table(db: Kysely<never>, engine: Engine, name: string): CreateTableBuilder<string> {
  return db.schema
    .createTable(name)
    .addColumn("id", engine === "sqlite" ? "integer" : "bigint", (column) =>
      engine === "postgres" ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey(),
    )
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("headers", "text", (column) => column.notNull())
    .addColumn("team", "text");
}
