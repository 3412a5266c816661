import type { SqliteDatabase } from "kysely";
import type { WriteRow, WriteStatement } from "../write-statement.ts";

/**
 * Writes rows in one transaction, and tells of each whether it changed something. A statement a row, prepared once: SQLite spends
 * less on them than on one statement that reads the rows from JSON. It holds the event loop until all is on the disk.
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
    // After some errors, such as a full disk, SQLite has done it. https://www.sqlite.org/lang_transaction.html
  }
}
