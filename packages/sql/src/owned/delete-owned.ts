import { sql } from "kysely";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../database.ts";
import { ownerValueOf, type OwnedTable } from "./owned-table.ts";

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
