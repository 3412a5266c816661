import type { CompiledQuery, QueryResult, SqliteDatabase } from "kysely";

/** Runs a function in one transaction. Blocks the event loop until everything is on disk. */
export function atomically<T>(database: SqliteDatabase, run: () => T): T {
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
export function runStatement(database: SqliteDatabase, { sql, parameters }: CompiledQuery): QueryResult<unknown> {
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
