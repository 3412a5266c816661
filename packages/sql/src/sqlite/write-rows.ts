import type { CompiledQuery, QueryResult, SqliteDatabase } from "kysely";
import type { WrittenWith } from "../query/database.ts";
import type { WriteRow, WriteStatement } from "../query/write-statement.ts";

/**
 * Writes rows in one transaction, and returns for each whether it changed something. Uses one prepared statement for each row, which is
 * cheaper on SQLite than one statement that reads rows from JSON.
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

/** Runs a function in one transaction. */
function atomically<T>(database: SqliteDatabase, run: () => T): T {
  execute(database, "begin immediate");
  try {
    const result = run();
    execute(database, "commit");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Runs the statements in one transaction and returns the result of each. */
export function runBatch(
  database: SqliteDatabase,
  statements: readonly CompiledQuery[],
): readonly QueryResult<unknown>[] {
  return atomically(database, () => statements.map((statement) => runStatement(database, statement)));
}

/** Runs a statement within a transaction. */
function runStatement(database: SqliteDatabase, { sql, parameters }: CompiledQuery): QueryResult<unknown> {
  const statement = database.prepare(sql);
  return statement.reader
    ? { rows: statement.all(parameters) }
    : { numAffectedRows: BigInt(statement.run(parameters).changes), rows: [] };
}

const execute = (database: SqliteDatabase, text: string): unknown => database.prepare(text).run([]);

function rollBack(database: SqliteDatabase): void {
  try {
    execute(database, "rollback");
  } catch {
    // After some errors, such as a full disk, SQLite has already rolled back. https://www.sqlite.org/lang_transaction.html
  }
}
