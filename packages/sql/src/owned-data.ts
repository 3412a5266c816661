import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "./query/database.ts";
import { storedBytes, withinPageBytes } from "./query/dialect.ts";

export type Row = Readonly<Record<string, string | number | null>>;

/** Opens and seals the sealed text of a column. */
interface Sealer {
  /** Prefix of text sealed with the current key. */
  readonly prefix: string;
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** Content of a column for an export: JSON as text; JSON that may be sealed; a secret, which is never exported. */
type ColumnContent = "json" | "record" | "secret";

/** A table whose rows each belong to one owner, such as a Slack team. */
export interface OwnedTable {
  readonly name: string;
  /** The owner column. It has the owner's id, or the result of `ownerValue`, such as a digest. */
  readonly owner: string;
  readonly ownerValue?: (id: string) => string;
  /** The columns that identify a row. */
  readonly key: readonly [string, ...string[]];
  /** Description of the rows for people: `questions that wait or are being answered`. */
  readonly holds: string;
  /** The columns with content other than text or numbers. */
  readonly content?: Readonly<Record<string, ColumnContent>>;
  /** The columns that may be sealed, and the context of each row's sealing. */
  readonly sealed?: Readonly<Record<string, (row: Row) => string>>;
}

/** A table with columns that may be sealed, whoever owns its rows. */
export type SealedTable = Pick<OwnedTable, "name" | "key" | "content" | "sealed">;

/** Returns the condition of an owner's rows. */
const ownedBy = ({ owner, ownerValue = (same) => same }: OwnedTable, id: string): RawBuilder<unknown> =>
  sql`${sql.ref(owner)} = ${ownerValue(id)}`;

/** A row for an export: without its secrets, whose columns are listed instead. */
interface PresentedRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly left_out: readonly string[];
}

const sealedForm = /^v\d+\.[\w-]+\.[\w-]+$/;

/**
 * Unseals and parses the columns that may be shown. Sealed text in a column that is not declared as a record is a secret, and so is text
 * that can't be opened.
 */
function presentRow(table: OwnedTable, row: Row, sealer: Sealer | undefined): PresentedRow {
  const shown: Record<string, unknown> = {};
  const leftOut: string[] = [];
  for (const [column, value] of Object.entries(row)) {
    const content = table.content?.[column];
    const text = content === "record" ? opened({ table, column, row }, sealer) : value;
    const isSecret = content === "secret" ? text !== null : typeof text === "string" && sealedForm.test(text);
    if (isSecret) leftOut.push(column);
    else shown[column] = content !== undefined && typeof text === "string" ? (JSON.parse(text) as unknown) : text;
  }
  return { row: shown, left_out: leftOut };
}

function opened(
  { table, column, row }: { readonly table: OwnedTable; readonly column: string; readonly row: Row },
  sealer: Sealer | undefined,
): Row[string] {
  const value = row[column] ?? null;
  const context = table.sealed?.[column];
  if (sealer === undefined || context === undefined || typeof value !== "string" || !sealedForm.test(value))
    return value;
  try {
    return sealer.open(value, context(row));
  } catch {
    return value;
  }
}

const pageSize = 200;

/** Yields rows of a table in key order, in pages, so that the table is never completely in memory. A row whose key changes meanwhile may appear twice or not at all; our keys never change. */
async function* readPages(
  db: Kysely<never>,
  { name, key, content = {} }: SealedTable,
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
async function countOwned(db: Kysely<never>, table: OwnedTable, owner: string): Promise<number> {
  const all = sql<{
    count: number;
  }>`select count(*) as count from ${sql.table(table.name)} where ${ownedBy(table, owner)}`;
  const { rows } = await all.execute(db);
  return rows[0]?.count ?? 0;
}

/** Deletes all rows of an owner in a table atomically. Returns their number. */
async function deleteOwned({ transaction }: Database<never>, table: OwnedTable, owner: string): Promise<number> {
  const all = sql`delete from ${sql.table(table.name)} where ${ownedBy(table, owner)}`;
  const { numAffectedRows = 0n } = await transaction((tx) => all.execute(tx));
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
async function eraseDeleted({ engine, db }: Database<never>, tables: readonly OwnedTable[]): Promise<boolean> {
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

/** Creates the data of owners in a database, for export and deletion. Tables are processed in the given order. */
export function createOwnedData<Tables>(
  given: Database<Tables>,
  {
    tables,
    sealed = [],
    sealer,
  }: {
    readonly tables: readonly OwnedTable[];
    /** Other tables with sealed columns. */
    readonly sealed?: readonly SealedTable[];
    readonly sealer?: Sealer | undefined;
  },
) {
  // Here, tables are data and not types.
  const database = given as unknown as Database<never>;
  const { db } = database;
  return {
    /** Returns the number of an owner's rows in each table. */
    count: async (owner: string) => {
      const counts = [];
      for (const table of tables)
        counts.push({ table: table.name, holds: table.holds, rows: await countOwned(db, table, owner) });
      return counts;
    },
    /** Yields every row of an owner. Rows written meanwhile may or may not be included. */
    async *rows(owner: string): AsyncGenerator<PresentedRow & { readonly table: string }> {
      for (const table of tables)
        for await (const page of readPages(db, table, ownedBy(table, owner)))
          for (const row of page) yield { table: table.name, ...presentRow(table, row, sealer) };
    },
    /**
     * Deletes an owner's rows, one table at a time, and erases their bytes. `erased`: the bytes are gone from all files that the process can
     * reach.
     */
    purge: async (owner: string) => {
      const deleted = [];
      for (const table of tables) deleted.push({ table: table.name, rows: await deleteOwned(database, table, owner) });
      return { deleted, erased: await eraseDeleted(database, tables) };
    },
    /** Seals everything with the current key. Does nothing without a sealer. */
    reseal: async () => {
      const results = [];
      if (sealer !== undefined)
        for (const table of [...tables, ...sealed])
          results.push({ table: table.name, ...(await reseal(db, table, sealer)) });
      return results;
    },
  };
}

export type OwnedData = ReturnType<typeof createOwnedData>;

/** The outcome for columns that were not sealed with the current key. */
interface Resealed {
  readonly sealed: number;
  /** Values that can't be opened: their key is missing, or they were modified. They are left unchanged. */
  readonly failed: number;
}

const none: Resealed = { sealed: 0, failed: 0 };

/**
 * Seals values with the current key that are unsealed or sealed with another key. Safe to interrupt, to repeat, and to run while others write:
 * a value that changes meanwhile is left as written.
 */
async function reseal(db: Kysely<never>, table: SealedTable, sealer: Sealer): Promise<Resealed> {
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
  at: { readonly table: SealedTable; readonly column: string; readonly row: Row; readonly context: string },
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
