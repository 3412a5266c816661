import { onTestFinished } from "vitest";
import type { Database } from "../query/database.ts";
import type { Migrations } from "../made-tables.ts";
import { tablesStep } from "../migrate.ts";
import { openDatabase, type OpenOptions } from "../open-database.ts";

export interface NoteTables {
  note: { id: string; at: number; text: string | null };
}

/** Opens them; they are closed with the test. */
export async function openNotes(
  url: string,
  options: Partial<Omit<OpenOptions, "url">> = {},
): Promise<Database<NoteTables>> {
  const database = await openDatabase<NoteTables>({ url, schema: "notes", migrations: noteMigrations, ...options });
  onTestFinished(() => database.close());
  return database;
}

/** The tables of this package's own tests. */
export const noteMigrations: Migrations = {
  "0001_notes": tablesStep(["note"], async (db) => {
    await db.schema
      .createTable("note")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("text", "text")
      .execute();
  }),
};
