import type { Kysely, Transaction } from "kysely";
import type { WriteRow, WriteStatement } from "./write-statement.ts";

export type Engine = "sqlite" | "postgres";

/** An open database whose tables are `Tables`. */
export interface Database<Tables> {
  readonly engine: Engine;
  /** Queries, written once for both engines. What they have to write differently is in `dialect.ts`. */
  readonly db: Kysely<Tables>;
  /**
   * Runs several statements as one: all or nothing. Writers take turns: on SQLite the whole database from the start, on PostgreSQL
   * what is locked. Do not use `db` within it.
   */
  readonly transaction: <T>(run: (transaction: Transaction<Tables>) => Promise<T>) => Promise<T>;
  /**
   * Writes rows as fast as the engine can, for what is done at every request; the rows of one call are durable together. Tells of
   * each row whether it changed something. Not within a transaction. `unflushed`: as below.
   */
  readonly write: <Column extends string>(
    statement: WriteStatement<Column>,
    rows: readonly WriteRow<Column>[],
    options?: { readonly unflushed?: boolean },
  ) => Promise<readonly boolean[]>;
  /**
   * Runs a statement that need not outlive a loss of power, such as the begin of a lease, or the end of what may be done again. It is not
   * flushed to the disk by itself where the engine can do that for one statement, which is SQLite; the next commit flushes it too.
   * Use the `db` that it is given, for queries and not for a transaction.
   */
  readonly unflushed: <T>(run: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
  /** Rejects when the database does not answer, in two seconds at the most. */
  readonly ping: () => Promise<void>;
  /** What is under way ends first; nothing new begins. */
  readonly close: () => Promise<void>;
}
