import type { Kysely, Transaction } from "kysely";

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
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>;
  /** What is under way ends first. */
  readonly close: () => Promise<void>;
}
