import { onTestFinished } from "vitest";
import type { Database } from "../database.ts";
import { openDatabase, type OpenOptions } from "../open-database.ts";
import { noteMigrations } from "./note-migrations.ts";

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
