import type { CompiledQuery, SqliteDatabase } from "kysely";
import type { WrittenWith } from "../database.ts";
import type { WriteRow, WriteStatement } from "../write-statement.ts";
import { atomically, runStatement } from "./atomically.ts";

/**
 * Writes rows in one transaction, and returns for each whether it changed something. Uses one prepared statement for each row, which is
 * cheaper on SQLite than one statement that reads rows from JSON. Blocks the event loop until everything is on disk.
 */
export function writeRows<Column extends string>(
  database: SqliteDatabase,
  statement: WriteStatement<Column>,
  rows: readonly WriteRow<Column>[],
): readonly boolean[] {
  return atomically(database, () => changeRows(database, statement, rows));
}

/** Writes rows and runs other statements in one transaction. */
export const writeRowsWith = <Column extends string>(
  database: SqliteDatabase,
  { statement, rows }: { readonly statement: WriteStatement<Column>; readonly rows: readonly WriteRow<Column>[] },
  others: readonly CompiledQuery[],
): WrittenWith =>
  atomically(database, () => ({
    changed: changeRows(database, statement, rows),
    results: others.map((other) => runStatement(database, other)),
  }));

function changeRows<Column extends string>(
  database: SqliteDatabase,
  { sqlite, columns }: WriteStatement<Column>,
  rows: readonly WriteRow<Column>[],
): boolean[] {
  const statement = database.prepare(sqlite);
  return rows.map((row) => Number(statement.run(columns.map((name) => row[name])).changes) > 0);
}
