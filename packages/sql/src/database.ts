import type { Kysely, Transaction } from "kysely";
import type { WriteRow, WriteStatement } from "./write-statement.ts";

export type Engine = "sqlite" | "postgres";

/** An open database whose tables are `Tables`. */
export interface Database<Tables> {
  readonly engine: Engine;
  /** Queries, written once for both engines. `dialect.ts` has the differences. */
  readonly db: Kysely<Tables>;
  /**
   * Runs several statements atomically. Writers are serialized: on SQLite the whole database is locked from the start, on PostgreSQL only
   * locked rows are. Do not use `db` within it.
   */
  readonly transaction: <T>(run: (transaction: Transaction<Tables>) => Promise<T>) => Promise<T>;
  /**
   * Writes rows as fast as the engine can, for writes of every request. The rows of one call are atomic. Returns for each row whether it
   * changed something. Not within a transaction. `unflushed`: as below.
   */
  readonly write: <Column extends string>(
    statement: WriteStatement<Column>,
    rows: readonly WriteRow<Column>[],
    options?: { readonly unflushed?: boolean },
  ) => Promise<readonly boolean[]>;
  /**
   * Runs a statement that may be lost in a power failure, such as the start of a lease, or the end of work that can be repeated. SQLite
   * does not flush it to disk; the next commit does. Use the passed `db`, for queries and not for a transaction.
   */
  readonly unflushed: <T>(run: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
  /** Rejects when the database does not respond within two seconds. */
  readonly ping: () => Promise<void>;
  /** Closes the database after running operations have ended; accepts no new ones. */
  readonly close: () => Promise<void>;
}
