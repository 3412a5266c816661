import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { checkParameters, refuseObject } from "../check-parameters.ts";

const mostStatements = 500;

/** Adapts an open file to Kysely's SQLite interface. Statements are compiled once. */
export function toSqliteDatabase(database: DatabaseSync): SqliteDatabase {
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
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...toInput(parameters)),
    run: (parameters) => statement.run(...toInput(parameters)),
    // A row-by-row reader holds the connection, so nothing else runs.
    iterate: (parameters) => statement.iterate(...toInput(parameters)),
  };
}

function toInput(parameters: readonly unknown[]): SQLInputValue[] {
  checkParameters(parameters);
  for (const value of parameters) {
    // SQLite would accept them, as 1 and 0 or as named parameters; PostgreSQL would not.
    if (typeof value === "boolean") throw new TypeError("a parameter is a boolean: use 1 or 0");
    refuseObject(value);
  }
  return parameters as SQLInputValue[];
}
