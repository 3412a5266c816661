import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";

const mostStatements = 500;

/** Opens a file, or `:memory:`, with what Kysely expects of SQLite. A commit is on the disk before it returns. */
export function openNodeSqlite(path: string): SqliteDatabase {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  // Waiting for a writer is `whenFree`'s: SQLite's own way to wait would hold the event loop.
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;");
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare: (text) => {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = toStatement(database.prepare(text));
      if (statements.size >= mostStatements) statements.clear();
      statements.set(text, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

function toStatement(statement: StatementSync): SqliteStatement {
  const of = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...of(parameters)),
    run: (parameters) => statement.run(...of(parameters)),
    iterate: (parameters) => statement.iterate(...of(parameters)),
  };
}
