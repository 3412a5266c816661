// Not by name, so that a simulation without a disk can replace it.
import fs from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { type CompiledQuery, Kysely, type QueryResult, sql, type SqliteDatabase } from "kysely";
import { answerInTime, checkChannel, createChannels, type Database, type WrittenWith } from "../query/database.ts";
import { failing, moved, OutageError } from "../query/errors.ts";
import type { WriteRow, WriteStatement } from "../query/write-statement.ts";
import { ImmediateDialect, toSqliteDatabase, whenFree } from "./node-sqlite.ts";
import { openDatabaseFile, shortenLog } from "./open-file.ts";

/** Writes rows and runs other statements in one transaction. */
const writeRowsWith = <Column extends string>(
  database: SqliteDatabase,
  { statement, rows }: { readonly statement: WriteStatement<Column>; readonly rows: readonly WriteRow<Column>[] },
  others: readonly CompiledQuery[],
): WrittenWith =>
  atomically(database, () => ({
    changed: changeRows(database, statement, rows),
    results: others.map((other) => runStatement(database, other)),
  }));

function changeRows<Column extends string>(
  database: SqliteDatabase,
  { sqlite, columns }: WriteStatement<Column>,
  rows: readonly WriteRow<Column>[],
): boolean[] {
  const statement = database.prepare(sqlite);
  return rows.map((row) => Number(statement.run(columns.map((name) => row[name])).changes) > 0);
}

function atomically<T>(database: SqliteDatabase, run: () => T): T {
  execute(database, "begin immediate");
  try {
    const result = run();
    execute(database, "commit");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Runs the statements in one transaction and returns the result of each. */
function runBatch(database: SqliteDatabase, statements: readonly CompiledQuery[]): readonly QueryResult<unknown>[] {
  return atomically(database, () => statements.map((statement) => runStatement(database, statement)));
}

/** Runs a statement within a transaction. */
function runStatement(database: SqliteDatabase, { sql: text, parameters }: CompiledQuery): QueryResult<unknown> {
  const statement = database.prepare(text);
  return statement.reader
    ? { rows: statement.all(parameters) }
    : { numAffectedRows: BigInt(statement.run(parameters).changes), rows: [] };
}

const execute = (database: SqliteDatabase, text: string): unknown => database.prepare(text).run([]);

function rollBack(database: SqliteDatabase): void {
  try {
    execute(database, "rollback");
  } catch {
    // After some errors, such as a full disk, SQLite has already rolled back. https://www.sqlite.org/lang_transaction.html
  }
}

const shortenLogEveryMs = 5_000;

/** Opens the embedded engine: one file, no server. Several processes of one machine can share it. */
export async function openSqlite<Tables>(path: string): Promise<Database<Tables>> {
  const file = await openDatabaseFile(path);
  const statements = toSqliteDatabase(file);
  const log = createLogFlush(path);
  const { flush } = log;
  let isUnflushed = false;
  const flushUnless = async (): Promise<void> => (isUnflushed ? undefined : flush());
  const db = new Kysely<Tables>({ dialect: new ImmediateDialect({ database: file, statements, flush: flushUnless }) });
  /** Runs a function between two operations. */
  const inTurn = <T>(run: () => T): Promise<T> => db.connection().execute(async () => run());
  /** Runs a transaction in turn. Operations go on while it is written to disk. */
  const written = async <T>(run: () => T, { unflushed = false } = {}): Promise<T> => {
    const result = await db.connection().execute(() => whenFree(async () => run()));
    if (!unflushed) await flush();
    return result;
  };
  const keepLogShort = setInterval(() => {
    // Problems of the file show up in the operations themselves.
    inTurn(() => shortenLog(file, path)).catch(() => undefined);
  }, shortenLogEveryMs).unref();
  const commits = watchCommits(file);
  let closed: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    clearInterval(keepLogShort);
    commits.close();
    // Kysely would close the file during a transaction.
    await inTurn(() => undefined);
    await db.destroy();
    await log.close();
  };

  return {
    engine: "sqlite",
    db,
    prepared: db,
    transaction: async (run) => {
      const result = await db.transaction().execute(run);
      await flush();
      return result;
    },
    // One prepared statement for each row is cheaper on SQLite than one that reads the rows from JSON.
    write: (statement, rows, options) =>
      written(() => atomically(statements, () => changeRows(statements, statement, rows)), options),
    writeWith: (statement, rows, others) => written(() => writeRowsWith(statements, { statement, rows }, others)),
    batch: ((queries) => written(() => runBatch(statements, queries))) as Database<Tables>["batch"],
    unflushed: (run) =>
      db.connection().execute(async (connection) => {
        isUnflushed = true;
        try {
          return await run(connection);
        } finally {
          isUnflushed = false;
          if (file.isTransaction) file.exec("rollback");
        }
      }),
    listen: commits.listen,
    ping: () =>
      answerInTime(async () => {
        await sql`select 1 from sqlite_schema limit 1`.execute(db);
        await log.settled();
      }),
    problem: async () => (log.isMoved() ? moved.what : undefined),
    close: () => (closed ??= close()),
  };
}

const lookEveryMs = 20;

/**
 * Notifies the listeners of every channel when another connection has committed. SQLite has no notifications, but a counter of such
 * commits, which takes microseconds to read: https://www.sqlite.org/pragma.html#pragma_data_version
 */
function watchCommits(file: DatabaseSync) {
  const channels = createChannels();
  const counter = file.prepare("pragma data_version");
  let timer: NodeJS.Timeout | undefined;
  let latest: unknown;

  /** Returns the counter. It is read later while this process is in a transaction or another one locks the file. */
  const read = (): unknown => {
    try {
      return file.isTransaction ? latest : counter.get()?.["data_version"];
    } catch {
      return latest;
    }
  };
  const look = (): void => {
    const now = read();
    if (now === latest) return;
    latest = now;
    channels.notifyAll();
  };
  const stopUnheard = (): void => {
    if (channels.names().length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  let closed = false;
  const listen: Database<unknown>["listen"] = async (channel, onMessage) => {
    checkChannel(channel);
    if (closed) throw new Error("the database is closed");
    const remove = channels.add(channel, onMessage);
    if (timer === undefined) {
      latest = read();
      timer = setInterval(look, lookEveryMs).unref();
    }
    return async () => {
      remove();
      stopUnheard();
    };
  };
  const close = (): void => {
    closed = true;
    clearInterval(timer);
  };
  return { listen, close };
}

const inodeOf = (path: string): number | undefined => fs.statSync(path, { throwIfNoEntry: false })?.ino;

/** Writes SQLite's log to disk, without blocking the event loop. The database is open and was read: its log exists. */
function createLogFlush(path: string) {
  if (path === ":memory:") {
    const nothing = async (): Promise<void> => undefined;
    return { flush: nothing, settled: nothing, close: nothing, isMoved: () => false };
  }
  // SQLite writes to this file until the last connection closes. Open from the start, because a process may reach its limit of open files.
  const log = fs.openSync(`${path}-wal`, "r+");
  const opened = [path, `${path}-wal`].map((name) => ({ name, ino: inodeOf(name) }));
  let running: Promise<boolean> | undefined;
  let next: Promise<boolean> | undefined;

  /** Resolves with whether the file was there. */
  async function sync(): Promise<boolean> {
    await endOfTurn();
    // Later commits may be too late for this flush.
    next = undefined;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    fs.fdatasync(log, (error) => {
      if (error === null) resolve(!isMoved());
      else reject(new OutageError(`SQLite's log of ${path} could not be written to disk`, failing, error));
    });
    return promise;
  }

  /** Returns whether another process would open other files than this one has: what is written here would be lost. */
  const isMoved = (): boolean => opened.some(({ name, ino }) => inodeOf(name) !== ino);

  function begin(): Promise<boolean> {
    const flush = sync();
    running = flush;
    // A failed flush stays the running one.
    flush.then(() => (running = next && running)).catch(() => undefined);
    return flush;
  }

  const settled = async (): Promise<unknown> => next ?? running;
  return {
    /**
     * Resolves when all commits before the call are on disk. Calls in one turn of the loop share a flush; calls during a flush share the next
     * one. After a failed flush all reject: what the disk has then is unknown until the process starts again. Rejects while the file or its
     * log is not the one at its path.
     * https://wiki.postgresql.org/wiki/Fsync_Errors
     */
    flush: async (): Promise<void> => {
      const isThere = await (running === undefined ? (next = begin()) : (next ??= running.then(begin)));
      if (!isThere) throw new OutageError(`SQLite's file ${path} is another one now, or its log is`, moved);
    },
    isMoved,
    /** Resolves when no flush is under way. Rejects after a failed one. */
    settled,
    /** Closes the log after the last flush has ended. */
    close: async (): Promise<void> => {
      await settled().catch(() => undefined);
      fs.closeSync(log);
    },
  };
}
