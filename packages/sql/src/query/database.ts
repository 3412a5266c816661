import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import { CompiledQuery, type Kysely, type QueryResult, sql, type Transaction } from "kysely";
import { outageOf } from "./errors.ts";
import { type ColumnKind, prepare, unnested, type WriteRow, type WriteStatement } from "./write-statement.ts";

/** Called with the text of each notification; with `undefined` when some may have been missed, or the engine has none. Must not throw. */
type OnMessage = (payload: string | undefined) => void;

export function createChannels() {
  const listeners = new Set<{ readonly channel: string; readonly onMessage: OnMessage }>();
  return {
    /** Returns a function that removes it. */
    add: (channel: string, onMessage: OnMessage): (() => void) => {
      const listener = { channel, onMessage };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (of: string, payload: string | undefined): void => {
      for (const { channel, onMessage } of listeners) if (channel === of) onMessage(payload);
    },
    /** Calls every listener with `undefined`. */
    notifyAll: (): void => {
      for (const { onMessage } of listeners) onMessage(undefined);
    },
    /** Returns the channels that have a listener. */
    names: (): readonly string[] => [...new Set([...listeners].map(({ channel }) => channel))],
  };
}

const channelName = /^[a-z][a-z0-9_]{0,30}$/;

/** Throws unless the channel's name can be part of an SQL text. */
export function checkChannel(channel: string): void {
  if (!channelName.test(channel))
    throw new TypeError(
      `Expected a channel of at most 31 lowercase letters, digits and underscores, got ${JSON.stringify(channel)}.`,
    );
}

export type Engine = "sqlite" | "postgres";

/** What runs a compiled query: `db`, `prepared`, or a transaction. */
export interface QueryRunner {
  readonly executeQuery: Kysely<unknown>["executeQuery"];
}

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
  readonly prepared: QueryRunner;
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
  /** Returns why its file or its tables are not what this process opened, in words for health checks; undefined if they are. */
  readonly problem: () => Promise<string | undefined>;
  /** Closes the database after running operations have ended; accepts no new ones. */
  readonly close: () => Promise<void>;
}

/** Runs the statement for all rows in order and returns its results. */
export interface RowsStatement<Column extends string> {
  <Answer>(db: QueryRunner, engine: Engine, rows: readonly WriteRow<Column>[]): Promise<readonly Answer[]>;
  /** Returns the statement for `Database.batch`, for a few rows. */
  readonly query: (engine: Engine, rows: readonly WriteRow<Column>[]) => CompiledQuery;
}

/**
 * Creates a statement for any number of rows, in a transaction or not, for writes of every request. `text` receives `rows`, a table
 * expression named `new` with the columns. The first column is never null. Texts are created once for each size and rows are bound
 * directly, a third of the cost of `rowsFromJson`. Very many rows are split into statements of at most 32,766 values each.
 */
export function rowsStatement<Column extends string>({
  columns,
  text,
}: {
  readonly columns: Readonly<Record<Column, ColumnKind>>;
  readonly text: (rows: string, engine: Engine) => string;
}): RowsStatement<Column> {
  const names = Object.keys(columns) as Column[];
  const postgres = text(unnested(columns), "postgres");
  prepare(postgres);
  const most = mostRows(names.length);
  const ofSize = new Map<number, string>();

  function sqlite(size: number): string {
    const row = `(${names.map(() => "?").join(", ")})`;
    const named = names.map((name, index) => `column${index + 1} as ${name}`);
    const values = Array.from({ length: size }, () => row).join(", ");
    return text(`(select ${named.join(", ")} from (values ${values}) where column1 is not null) as new`, "sqlite");
  }

  function queryOf(engine: Engine, rows: readonly WriteRow<Column>[]): CompiledQuery {
    if (engine === "postgres")
      return CompiledQuery.raw(
        postgres,
        names.map((name) => rows.map((row) => row[name])),
      );
    // Sizes are padded with nulls to a power of two, to limit the number of statements.
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, rows.length)));
    const parameters: unknown[] = [];
    for (const row of rows) for (const name of names) parameters.push(row[name]);
    while (parameters.length < size * names.length) parameters.push(null);
    return CompiledQuery.raw(ofSize.getOrInsertComputed(size, sqlite), parameters);
  }

  const run = async <Answer>(
    db: QueryRunner,
    engine: Engine,
    rows: readonly WriteRow<Column>[],
  ): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (let at = 0; at < rows.length; at += most) {
      const { rows: some } = await db.executeQuery(queryOf(engine, rows.slice(at, at + most)));
      answers.push(...(some as Answer[]));
    }
    return answers;
  };
  return Object.assign(run, { query: queryOf });
}

/** Returns the maximum number of rows in one statement: SQLite allows 32,766 parameters. https://www.sqlite.org/limits.html */
export const mostRows = (columns: number): number => 2 ** Math.floor(Math.log2(32_766 / columns));

/** Timeout of a health check query, milliseconds. */
const withinMs = 2_000;

/** Rejects when the database does not respond in time. The query itself is not canceled. */
export async function answerInTime(ask: () => Promise<unknown>): Promise<void> {
  await withTimeout(withinMs, ask).catch((error: unknown) => {
    throw error instanceof TimeLimitError ? new Error(`the database has not responded for ${withinMs} ms`) : error;
  });
}

/** A write without a change for each engine. SQLite skips an unchanged row, but always writes its header. */
const writes = {
  sqlite: sql`pragma user_version = 0`,
  postgres: sql`update kysely_migration_lock set is_locked = is_locked`,
};

/**
 * Returns a health check of a migrated database: whether it accepts writes, and whether its file and its tables are those that were opened. It
 * writes without changing a value, because a database on a full disk still answers reads. It returns what is wrong; it rejects if the database
 * refuses for another reason or does not answer in two seconds. `onProblem` is called when something else is wrong than before.
 */
export function createDatabaseCheck<Tables>(
  { engine, unflushed, problem }: Database<Tables>,
  onProblem: (what: string) => void,
): () => Promise<string | undefined> {
  let known: string | undefined;
  const look = async (): Promise<string | undefined> => {
    try {
      let found: string | undefined;
      await answerInTime(async () => {
        found = await problem();
        if (found === undefined) await unflushed((db) => writes[engine].execute(db));
      });
      return found;
    } catch (error) {
      const outage = outageOf(error);
      if (outage === undefined) throw error;
      return outage.what;
    }
  };
  return async () => {
    const found = await look();
    if (found !== undefined && found !== known) onProblem(found);
    return (known = found);
  };
}
