import { hash } from "node:crypto";
import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
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

/** The most bytes of content that one page of a list reads. A larger row is a page of its own. */
export const pageBytes = 1_000_000;

/** Returns an SQL expression for the stored bytes of columns of text together. The database knows them without reading it. */
export function storedBytes(...columns: readonly string[]): RawBuilder<number> {
  const each = columns.map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`);
  return sql<number>`${sql.join([sql`0`, ...each], sql` + `)}`;
}

/**
 * Returns an SQL condition that ends a page early: it holds for the first rows of `page` that have `pageBytes` together, or for its first
 * row. `page` selects the columns of `key` and `bytes`, in the order and with the limit of the list. `table` is that of the outer query.
 */
export function withinPageBytes(table: string, key: readonly string[], page: Expression<unknown>): RawBuilder<boolean> {
  const [outer, names] = [key.map((name) => sql.ref(`${table}.${name}`)), sql.join(key.map((name) => sql.ref(name)))];
  const summed = sql`select ${names}, bytes, sum(bytes) over (rows unbounded preceding) as up_to from (${page}) as page`;
  return sql`(${sql.join(outer)}) in
    (select ${names} from (${summed}) as summed where up_to <= ${sql.lit(pageBytes)} or up_to = bytes)`;
}

/** Ids and names are personal data, so a column that is not sealed has only these. Returns the same for all spellings by case. */
export const personDigest = (text: string): string =>
  hash("sha256", text.trim().toLowerCase(), "base64url").slice(0, 16);

/** Returns digests of ids, names, and words of names. */
export function personDigests(idsAndNames: readonly (string | undefined)[]): readonly string[] {
  const texts = idsAndNames.flatMap((text = "") => [text, ...text.split(/\s+/)]).filter((text) => text !== "");
  return [...new Set(texts.map(personDigest))];
}

/** Returns the value of the column `people`, by which a row is found: `personDigests` between line feeds. */
export const peopleColumn = (idsAndNames: readonly (string | undefined)[]): string =>
  ["", ...personDigests(idsAndNames), ""].join("\n");

/** What people narrow a list to. */
export interface Narrowing {
  /** Created from `since` on and before `until`, Unix milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** A person or a program: an id, a name or a word of it. */
  readonly person?: string | undefined;
  /** The beginning of an id: letters, digits, `_` and `-`. */
  readonly id?: string | undefined;
}

/** Returns the condition of a narrowing, on a table with the columns `created_at`, `people` and `key`, its ids. */
export function narrowedTo({ since, until, person, id }: Narrowing, key: string): RawBuilder<boolean> {
  // The range reads the index of the key in every collation; the second condition is exact.
  const conditions = [
    since !== undefined && sql`created_at >= ${since}`,
    until !== undefined && sql`created_at < ${until}`,
    person !== undefined && sql`replace(people, ${`\n${personDigest(person)}\n`}, '') <> people`,
    id !== undefined && sql`${sql.ref(key)} between ${id} and ${`${id}zzz`}`,
    id !== undefined && sql`substr(${sql.ref(key)}, 1, ${id.length}) = ${id}`,
  ];
  return sql<boolean>`${sql.join([sql`1 = 1`, ...conditions.filter((one) => one !== false)], sql` and `)}`;
}
