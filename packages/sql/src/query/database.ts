import type { CompiledQuery, Kysely, QueryResult, Transaction } from "kysely";
import type { OnMessage } from "./channels.ts";
import type { WriteRow, WriteStatement } from "./write-statement.ts";

export type Engine = "sqlite" | "postgres";

/** The result of `Database.writeWith`. */
export interface WrittenWith {
  /** For each row whether it changed something. */
  readonly changed: readonly boolean[];
  /** The result of each other statement. */
  readonly results: readonly QueryResult<unknown>[];
}

/** An open database whose tables are `Tables`. */
export interface Database<Tables> {
  readonly engine: Engine;
  /** Queries, written once for both engines. `dialect.ts` has the differences. */
  readonly db: Kysely<Tables>;
  /**
   * Runs one statement whose text is in `prepare` and which finds each of its rows by an index. PostgreSQL plans it once for each
   * connection, whatever the tables contain then.
   */
  readonly prepared: Pick<Kysely<Tables>, "executeQuery">;
  /**
   * Runs several statements atomically. Writers are serialized: on SQLite the whole database is locked from the start, on PostgreSQL only
   * locked rows are. Do not use `db` within it.
   */
  readonly transaction: <T>(run: (transaction: Transaction<Tables>) => Promise<T>) => Promise<T>;
  /**
   * Runs statements that are known in advance atomically, in order and in one round trip, and returns the result of each. Rejects with the error
   * of the first statement that failed; then none of them took effect. (PostgreSQL: a number in a result that JavaScript can't represent rejects
   * after the commit.) Statements come from `compile()`; a parameter can't be an object.
   */
  readonly batch: <const Rows extends readonly unknown[]>(statements: {
    readonly [Index in keyof Rows]: CompiledQuery<Rows[Index]>;
  }) => Promise<{ readonly [Index in keyof Rows]: QueryResult<Rows[Index]> }>;
  /**
   * Writes rows as fast as the engine can, for writes of every request. The rows of one call are atomic. Returns for each row whether it
   * changed something. Not within a transaction. `unflushed`: as below.
   */
  readonly write: <Column extends string>(
    statement: WriteStatement<Column>,
    rows: readonly WriteRow<Column>[],
    options?: { readonly unflushed?: boolean },
  ) => Promise<readonly boolean[]>;
  /** As `write`, and runs other statements in the same transaction and round trip, after it. Returns their results, too. */
  readonly writeWith: <Column extends string>(
    statement: WriteStatement<Column>,
    rows: readonly WriteRow<Column>[],
    others: readonly CompiledQuery[],
  ) => Promise<WrittenWith>;
  /**
   * Runs a statement that may be lost in a power failure, such as the start of a lease, or the end of work that can be repeated. On
   * SQLite it does not wait for the disk. Use the passed `db`, for queries and not for a transaction.
   */
  readonly unflushed: <T>(run: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
  /**
   * Listens for `notifyText` of any process until the returned function is called. Resolves when listening has begun, or after a failed
   * first attempt, which is then repeated in the background; an outage never rejects. Throws a `TypeError` for an invalid channel.
   *
   * PostgreSQL: one more connection for each open database, only if something listens. `onMessage` gets each payload, and `undefined` after
   * every (re)connect, because notifications may have been missed. A pooler in transaction mode delivers none (`onListenError`). SQLite:
   * calls `onMessage(undefined)` within 20 ms of commits of other connections, whatever the channel; never for `sqlite::memory:`. Poll the
   * tables as well: a notification is a hint.
   */
  readonly listen: (channel: string, onMessage: OnMessage) => Promise<() => Promise<void>>;
  /** Rejects when the database does not respond within two seconds. */
  readonly ping: () => Promise<void>;
  /** Closes the database after running operations have ended; accepts no new ones. */
  readonly close: () => Promise<void>;
}
