import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { retry } from "@crosszone/service-kit/timing";
import {
  type SqliteDatabase,
  type SqliteStatement,
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from "kysely";
import { checkParameters, refuseObject } from "../query/write-statement.ts";

const mostStatements = 500;

interface OpenSqlite {
  readonly database: DatabaseSync;
  /** The statements of the database, see `toSqliteDatabase`. */
  readonly statements: SqliteDatabase;
  /** Resolves when what a statement outside a transaction wrote is on disk, if it has to be. */
  readonly flush: () => Promise<void>;
}

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

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;

/** Retries a statement while another connection writes. Rejects with SQLite's own error after five seconds. */
export function whenFree<T>(statement: () => Promise<T>): Promise<T> {
  return retry(statement, {
    firstMs: 2,
    longestMs: 20,
    budgetMs: 5_000,
    // The low byte is the primary code; the other bytes extend it.
    retryAfter: (error) => ((((error as { errcode?: number }).errcode ?? 0) & 0xff) === sqliteBusy ? 0 : undefined),
  });
}

/** Finds the statements that may write. */
const writing = /\b(insert|update|delete|replace|create|alter|drop)\b/i;

/** Locks the database at the start of a transaction: a later upgrade of the lock could be refused. */
class ImmediateDriver extends SqliteDriver {
  #connection: DatabaseConnection | undefined;
  readonly #file: OpenSqlite;

  constructor(file: OpenSqlite) {
    super({ database: file.statements });
    this.#file = file;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    const { database, flush } = this.#file;
    this.#connection ??= {
      // Waits for the lock without blocking the event loop, so that another connection of this process can finish.
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        const result = await whenFree(() => connection.executeQuery<Row>(query));
        if (!database.isTransaction && writing.test(query.sql)) await flush();
        return result;
      },
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has already rolled back after a full disk. A second rollback would hide that error.
    if (this.#file.database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** All migrations of one start are one transaction. Other processes wait, then find them applied. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class ImmediateDialect extends SqliteDialect {
  readonly #file: OpenSqlite;

  constructor(file: OpenSqlite) {
    super({ database: file.statements });
    this.#file = file;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#file);
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}
