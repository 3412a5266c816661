import { sql, type RawBuilder } from "kysely";
import type { ColumnKind } from "./column-kind.ts";
import type { Engine } from "./database.ts";

/** `now` for statements that are written as text. */
export const nowText: Readonly<Record<Engine, string>> = {
  sqlite: "cast(unixepoch('subsec') * 1000 as integer)",
  postgres: "(extract(epoch from clock_timestamp()) * 1000)::bigint",
};

/** The time of the database, Unix milliseconds: the same for every process that shares it. */
export function now(engine: Engine): RawBuilder<number> {
  return sql.raw<number>(nowText[engine]);
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

/**
 * Ends a `select` whose rows are to be changed by this transaction: nobody else changes them before its end. Who meets a locked row
 * waits. `of` names the tables or aliases that are meant when several are joined.
 * With the query builder: `.modifyEnd(forUpdate(engine))`.
 */
export function forUpdate(engine: Engine, ...of: readonly string[]): RawBuilder<void> {
  // On SQLite, a transaction has the database for itself.
  return engine === "sqlite" ? sql`` : sql`for update${ofTables(of)}`;
}

/** As `forUpdate`, but leaves out the rows that another transaction has locked: several processes share the work on a table. */
export function forUpdateSkipLocked(engine: Engine, ...of: readonly string[]): RawBuilder<void> {
  return engine === "sqlite" ? sql`` : sql`for update${ofTables(of)} skip locked`;
}

function ofTables(names: readonly string[]): RawBuilder<unknown> {
  return names.length === 0 ? sql`` : sql` of ${sql.join(names.map((name) => sql.id(name)))}`;
}
