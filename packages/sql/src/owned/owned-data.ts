import { setImmediate as nextTurn } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import type { Database } from "../query/database.ts";
import { countOwned, deleteOwned, eraseDeleted, readOwned, readPages } from "./owned-rows.ts";
import { type OwnedTable, type PresentedRow, presentRow, type Sealer, type Row } from "./owned-table.ts";

/** The data of owners in a database. Tables are processed in the given order. */
export interface OwnedData {
  /** Returns the number of an owner's rows in each table. */
  count(owner: string): Promise<readonly { readonly table: string; readonly holds: string; readonly rows: number }[]>;
  /** Yields every row of an owner. Rows written meanwhile may or may not be included. */
  rows(owner: string): AsyncIterable<PresentedRow & { readonly table: string }>;
  /**
   * Deletes an owner's rows, one table at a time, and erases their bytes. `erased`: the bytes are gone from all files that the process can
   * reach.
   */
  purge(owner: string): Promise<{
    readonly deleted: readonly { readonly table: string; readonly rows: number }[];
    readonly erased: boolean;
  }>;
  /** Seals everything with the current key. Does nothing without a sealer. */
  reseal(): Promise<readonly (Resealed & { readonly table: string })[]>;
}

/** Creates the owned data of a database, for export and deletion. */
export function createOwnedData<Tables>(
  given: Database<Tables>,
  { tables, sealer }: { readonly tables: readonly OwnedTable[]; readonly sealer?: Sealer | undefined },
): OwnedData {
  // Here, tables are data and not types.
  const database = given as unknown as Database<never>;
  const { db } = database;
  return {
    count: async (owner) => {
      const counts = [];
      for (const table of tables)
        counts.push({ table: table.name, holds: table.holds, rows: await countOwned(db, table, owner) });
      return counts;
    },
    async *rows(owner) {
      for (const table of tables)
        for await (const page of readOwned(db, table, owner))
          for (const row of page) yield { table: table.name, ...presentRow(table, row, sealer) };
    },
    purge: async (owner) => {
      const deleted = [];
      for (const table of tables) deleted.push({ table: table.name, rows: await deleteOwned(database, table, owner) });
      return { deleted, erased: await eraseDeleted(database, tables) };
    },
    reseal: async () => {
      const results = [];
      if (sealer !== undefined)
        for (const table of tables) results.push({ table: table.name, ...(await reseal(db, table, sealer)) });
      return results;
    },
  };
}

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

/** The outcome for columns that were not sealed with the current key. */
export interface Resealed {
  readonly sealed: number;
  /** Values that can't be opened: their key is missing, or they were modified. They are left unchanged. */
  readonly failed: number;
}

const none: Resealed = { sealed: 0, failed: 0 };

/**
 * Seals values with the current key that are unsealed or sealed with another key. Safe to interrupt, to repeat, and to run while others write:
 * a value that changes meanwhile is left as written.
 */
export async function reseal(db: Kysely<never>, table: OwnedTable, sealer: Sealer): Promise<Resealed> {
  let total = none;
  for (const [column, contextOf] of Object.entries(table.sealed ?? {})) {
    const old = sql`${sql.ref(column)} is not null and substr(${sql.ref(column)}, 1, ${sql.lit(sealer.prefix.length)}) <> ${sealer.prefix}`;
    for await (const rows of readPages(db, table, old)) {
      for (const row of rows) {
        const done = await resealOne(db, { table, column, row, context: contextOf(row) }, sealer);
        total = { sealed: total.sealed + done.sealed, failed: total.failed + done.failed };
      }
      await nextTurn();
    }
  }
  return total;
}

async function resealOne(
  db: Kysely<never>,
  at: { readonly table: OwnedTable; readonly column: string; readonly row: Row; readonly context: string },
  sealer: Sealer,
): Promise<Resealed> {
  const { table, column, row, context } = at;
  const before = String(row[column]);
  let after: string;
  try {
    after = sealer.seal(/^v\d+\./.test(before) ? sealer.open(before, context) : before, context);
  } catch {
    return { ...none, failed: 1 };
  }
  const same = table.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`);
  const { numAffectedRows } =
    await sql`update ${sql.table(table.name)} set ${sql.ref(column)} = ${after} where ${sql.join(same, sql` and `)} and ${sql.ref(column)} = ${before}`.execute(
      db,
    );
  return { ...none, sealed: Number(numAffectedRows ?? 0) };
}
