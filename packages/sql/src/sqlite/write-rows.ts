import type { SqliteDatabase } from "kysely";
import type { WriteRow, WriteStatement } from "../write-statement.ts";

/**
 * Writes rows in one transaction, and returns for each whether it changed something. Uses one prepared statement for each row, which is
 * cheaper on SQLite than one statement that reads rows from JSON. Blocks the event loop until everything is on disk.
 */
export function writeRows<Column extends string>(
  database: SqliteDatabase,
  { sqlite, columns }: WriteStatement<Column>,
  rows: readonly WriteRow<Column>[],
): boolean[] {
  const run = (text: string, parameters: readonly unknown[] = []): number | bigint =>
    database.prepare(text).run(parameters).changes;
  run("begin immediate");
  try {
    const changed = rows.map(
      (row) =>
        Number(
          run(
            sqlite,
            columns.map((name) => row[name]),
          ),
        ) > 0,
    );
    run("commit");
    return changed;
  } catch (error) {
    rollBack(run);
    throw error;
  }
}

function rollBack(run: (text: string) => unknown): void {
  try {
    run("rollback");
  } catch {
    // After some errors, such as a full disk, SQLite has already rolled back. https://www.sqlite.org/lang_transaction.html
  }
}
