import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "../query/database.ts";
import { storedBytes, withinPageBytes } from "../query/dialect.ts";
import { type OwnedTable, ownerValueOf, type Row } from "./owned-table.ts";

const pageSize = 200;

/** Yields all rows of an owner in a table in key order, read in pages, so that the table is never completely in memory. */
export function readOwned(
  db: Kysely<never>,
  table: OwnedTable,
  owner: string,
): AsyncGenerator<readonly Row[], undefined> {
  return readPages(db, table, sql`${sql.ref(table.owner)} = ${ownerValueOf(table, owner)}`);
}

/** Yields rows of a table in pages. A row whose key changes meanwhile may appear twice or not at all; our keys never change. */
export async function* readPages(
  db: Kysely<never>,
  { name, key, content = {} }: Pick<OwnedTable, "name" | "key" | "content">,
  where: RawBuilder<unknown>,
): AsyncGenerator<readonly Row[], undefined> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let after = sql`1 = 1`;
  for (;;) {
    const bytes = storedBytes(...Object.keys(content));
    const page = sql`select ${columns}, ${bytes} as bytes from ${sql.table(name)} where ${where} and ${after}
      order by ${columns} limit ${sql.lit(pageSize)}`;
    const { rows } = await sql<Row>`select * from ${sql.table(name)} where ${withinPageBytes(name, key, page)}
      order by ${columns}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    yield rows;
    after = sql`(${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

/** Returns the number of an owner's rows in a table. */
export async function countOwned(db: Kysely<never>, table: OwnedTable, owner: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from ${sql.table(table.name)} where ${sql.ref(table.owner)} = ${ownerValueOf(table, owner)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Deletes all rows of an owner in a table atomically. Returns their number. */
export async function deleteOwned({ transaction }: Database<never>, table: OwnedTable, owner: string): Promise<number> {
  const whose = sql`${sql.ref(table.owner)} = ${ownerValueOf(table, owner)}`;
  const { numAffectedRows = 0n } = await transaction((tx) =>
    sql`delete from ${sql.table(table.name)} where ${whose}`.execute(tx),
  );
  return Number(numAffectedRows);
}

/** How often, and with which delay, to wait for readers of other connections. */
const attempts = 50;
const pauseMs = 100;

/**
 * Removes the bytes of deleted rows from SQLite's file and its write-ahead log: rewrites the file and truncates the log. On PostgreSQL,
 * frees the space; the bytes stay in the server's files until they are overwritten. Resolves with false when readers kept the log from
 * being truncated.
 */
export async function eraseDeleted({ engine, db }: Database<never>, tables: readonly OwnedTable[]): Promise<boolean> {
  if (engine === "postgres") {
    for (const { name } of tables) await sql`vacuum ${sql.table(name)}`.execute(db);
    return true;
  }
  await sql`vacuum`.execute(db);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    // https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy === 0) return true;
    await delay(pauseMs);
  }
  return false;
}
