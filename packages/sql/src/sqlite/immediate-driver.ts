import type { DatabaseSync } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from "kysely";
import { whenFree } from "./node-sqlite.ts";

/** Locks the database at the start of a transaction: a later upgrade of the lock could be refused. */
class ImmediateDriver extends SqliteDriver {
  #connection: DatabaseConnection | undefined;
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync, statements: SqliteDatabase) {
    super({ database: statements });
    this.#database = database;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= retryWhenLocked(await super.acquireConnection());
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has already rolled back after a full disk. A second rollback would hide that error.
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** Waits for the lock without blocking the event loop, so that another connection of this process can finish. */
function retryWhenLocked(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
      whenFree(() => connection.executeQuery<Row>(query)),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

/** All migrations of one start are one transaction. Other processes wait, then find them applied. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class ImmediateDialect extends SqliteDialect {
  readonly #database: DatabaseSync;

  readonly #statements: SqliteDatabase;

  /** `statements` are those of `database`. */
  constructor(database: DatabaseSync, statements: SqliteDatabase) {
    super({ database: statements });
    this.#database = database;
    this.#statements = statements;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#database, this.#statements);
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}
