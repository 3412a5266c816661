import { openDatabase, type Database, type OpenOptions } from "@crosszone/sql";
import { executionMigrations } from "./migrations.ts";

/** The tables of the execution zone. Each is described beside the store that is its only reader. */
export interface ExecutionTables {}

export type ExecutionDatabase = Database<ExecutionTables>;

/** Opens the zone's database and brings its tables up to date. */
export function openExecutionDatabase(options: Omit<OpenOptions, "migrations" | "schema">): Promise<ExecutionDatabase> {
  return openDatabase<ExecutionTables>({ ...options, schema: "execution", migrations: executionMigrations });
}
