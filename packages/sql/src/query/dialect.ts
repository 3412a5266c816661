import { type Kysely, type RawBuilder, sql } from "kysely";
import { checkChannel, type Engine } from "./database.ts";
import type { ColumnKind } from "./write-statement.ts";

/** `now` for statements written as text. */
export const nowText: Readonly<Record<Engine, string>> = {
  sqlite: "cast(unixepoch('subsec') * 1000 as integer)",
  postgres: "(extract(epoch from clock_timestamp()) * 1000)::bigint",
};

/** The database's time, Unix milliseconds: the same for every process that shares it. */
export function now(engine: Engine): RawBuilder<number> {
  return sql.raw<number>(nowText[engine]);
}

/**
 * Returns an SQL expression that notifies `channel` (`Database.listen`) of every process when its transaction commits; null on SQLite,
 * which detects commits by itself. `payload` is an SQL expression: text of at most 7,999 bytes. Equal notifications of one transaction
 * arrive once. PostgreSQL evaluates it only where its result is used, not in an unused `with` query. Use it sparingly: the server lets only
 * one transaction with notifications commit at a time.
 */
export function notifyText(engine: Engine, channel: string, payload = "''"): string {
  checkChannel(channel);
  return engine === "sqlite" ? "null" : `pg_notify(current_schema() || '_${channel}', ${payload})`;
}

/**
 * Returns a table expression, with an alias, for rows in a JSON array of objects: one statement and one parameter for any number of rows.
 * Missing columns are null.
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
 * Ends a `select` that locks its rows until the end of the transaction. Other transactions that need a locked row wait. `of` names the
 * tables or aliases to lock when several are joined. With the query builder: `.modifyEnd(forUpdate(engine))`.
 */
export function forUpdate(engine: Engine, ...of: readonly string[]): RawBuilder<void> {
  // On SQLite, a transaction locks the whole database.
  return engine === "sqlite" ? sql`` : sql`for update${ofTables(of)}`;
}

/** Like `forUpdate`, but skips rows that another transaction has locked, so that several processes can share the work on a table. */
export function forUpdateSkipLocked(engine: Engine, ...of: readonly string[]): RawBuilder<void> {
  return engine === "sqlite" ? sql`` : sql`for update${ofTables(of)} skip locked`;
}

function ofTables(names: readonly string[]): RawBuilder<unknown> {
  return names.length === 0 ? sql`` : sql` of ${sql.join(names.map((name) => sql.id(name)))}`;
}

export interface OlderRows {
  readonly table: string;
  /** The column that identifies a row. */
  readonly key: string;
  /** The time column. Rows with null are kept. */
  readonly column: string;
  /** Rows with an earlier time are deleted. */
  readonly before: number | RawBuilder<number>;
  /** Rows for which this does not hold are kept. */
  readonly only?: RawBuilder<boolean>;
}

/**
 * Deletes at most `most` rows, oldest first, in one statement. Returns their number. Safe to repeat, and to run in several processes at
 * once.
 */
export async function deleteOlder<Tables>(
  db: Kysely<Tables>,
  { table, key, column, before, only = sql`true` }: OlderRows,
  most: number,
): Promise<number> {
  const [name, id, time] = [sql.table(table), sql.ref(key), sql.ref(column)];
  const oldest = sql`select ${id} from ${name} where ${time} < ${before} and ${only} order by ${time} limit ${sql.lit(most)}`;
  // Checked again in the delete itself: the row may have been updated meanwhile.
  const { numAffectedRows = 0n } =
    await sql`delete from ${name} where ${id} in (${oldest}) and ${time} < ${before}`.execute(db);
  return Number(numAffectedRows);
}

/** Returns what deletes the rows of a table that are older than `retentionMs`, milliseconds, by the database's clock. */
export function purgeAfter<Tables>(
  { db, engine }: { readonly db: Kysely<Tables>; readonly engine: Engine },
  rows: { readonly table: string; readonly key: string; readonly column: string },
  retentionMs: number,
) {
  // A subquery is evaluated once for all rows, so that the index is used.
  const before = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  return { table: rows.table, purge: (most: number) => deleteOlder(db, { ...rows, before }, most) };
}
