import { sql, type RawBuilder } from "kysely";
import type { ColumnKind } from "./column-kind.ts";
import type { Engine } from "./database.ts";

/** The time of the database, Unix milliseconds: the same for every process that shares it. */
export function now(engine: Engine): RawBuilder<number> {
  return engine === "sqlite"
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/**
 * Rows that come as one JSON array of objects, as a table expression with an alias: one statement and one parameter for however
 * many rows. Columns that are missing are null.
 */
export function rowsFromJson(
  engine: Engine,
  rows: readonly Readonly<Record<string, string | number | null>>[],
  { alias, columns }: { readonly alias: string; readonly columns: Readonly<Record<string, ColumnKind>> },
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  if (engine === "postgres") {
    const typed = Object.entries(columns).map(([name, kind]) => sql`${sql.id(name)} ${sql.raw(kind)}`);
    return sql`jsonb_to_recordset(${json}::jsonb) as ${sql.id(alias)}(${sql.join(typed)})`;
  }
  const named = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`);
  return sql`(select ${sql.join(named)} from json_each(${json})) as ${sql.id(alias)}`;
}
