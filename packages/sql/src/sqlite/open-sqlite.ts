import { CompiledQuery, Kysely, SqliteAdapter, SqliteDialect, SqliteDriver, sql } from "kysely";
import type { DatabaseConnection, DialectAdapter, Driver, QueryResult } from "kysely";
import type { Database } from "../database.ts";
import { openNodeSqlite } from "./node-sqlite.ts";
import { whenFree } from "./when-free.ts";
import { writeRows } from "./write-rows.ts";

/** A transaction takes the database at its start: in the middle it might not be granted. */
class ImmediateDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return patient(await super.acquireConnection());
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

/** Waits for its turn with the event loop free, so that another connection of this process can come to its end. */
function patient(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
      whenFree(() => connection.executeQuery<Row>(query)),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

/** The migrations of one start are one transaction: who starts at the same time waits, then finds them done. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** The embedded engine: one file, no server. Several processes of one machine may share it. */
export function openSqlite<Tables>(path: string): Database<Tables> {
  const config = { database: openNodeSqlite(path) };
  class Dialect extends SqliteDialect {
    override createDriver(): Driver {
      return new ImmediateDriver(config);
    }
    override createAdapter(): DialectAdapter {
      return new TransactionalAdapter();
    }
  }
  const db = new Kysely<Tables>({ dialect: new Dialect(config) });
  return {
    engine: "sqlite",
    db,
    transaction: (run) => db.transaction().execute(run),
    // Takes its turn with the transactions of this process.
    write: (statement, rows) =>
      db.connection().execute(() => whenFree(async () => writeRows(config.database, statement, rows))),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: () => db.destroy(),
  };
}
