import { sql } from "kysely";
import type { Database } from "../database.ts";

/** Returns the names of all tables of a zone, except those of the migrations. */
export async function listTables({ engine, db }: Database<never>): Promise<readonly string[]> {
  const query =
    engine === "sqlite"
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`;
  const { rows } = await query.execute(db);
  return rows
    .map(({ name }) => name)
    .filter((name) => !/^(kysely|sqlite)_/.test(name))
    .toSorted();
}
