import { Kysely, sql } from "kysely";
import { answerInTime } from "../query/ping.ts";
import type { Database } from "../query/database.ts";
import { ImmediateDialect } from "./immediate-driver.ts";
import { toSqliteDatabase, whenFree } from "./node-sqlite.ts";
import { openFile, shortenLog } from "./open-file.ts";
import { watchCommits } from "./watch-commits.ts";
import { runBatch, writeRows, writeRowsWith } from "./write-rows.ts";

const shortenLogEveryMs = 5_000;

/** Opens the embedded engine: one file, no server. Several processes of one machine can share it. */
export async function openSqlite<Tables>(path: string): Promise<Database<Tables>> {
  const file = await openFile(path);
  const statements = toSqliteDatabase(file);
  const db = new Kysely<Tables>({ dialect: new ImmediateDialect(file, statements) });
  /** Runs a function between two operations. */
  const inTurn = (run: () => void): Promise<void> => db.connection().execute(async () => run());
  const keepLogShort = setInterval(() => {
    // Problems of the file show up in the operations themselves.
    inTurn(() => shortenLog(file, path)).catch(() => undefined);
  }, shortenLogEveryMs).unref();
  /** https://www.sqlite.org/pragma.html#pragma_synchronous: no other operation uses the connection meanwhile. */
  const unflushed = async <T>(run: () => Promise<T>): Promise<T> => {
    file.exec("pragma synchronous = normal");
    try {
      return await run();
    } finally {
      // It can't be set within a transaction left open, and then nothing would be flushed from then on.
      if (file.isTransaction) file.exec("rollback");
      file.exec("pragma synchronous = full");
    }
  };
  const commits = watchCommits(file);
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    clearInterval(keepLogShort);
    commits.close();
    // Kysely would close the file during a transaction.
    await inTurn(() => undefined);
    await db.destroy();
  };
  return {
    engine: "sqlite",
    db,
    prepared: db,
    transaction: (run) => db.transaction().execute(run),
    // Queued with the transactions of this process.
    write: (statement, rows, options) =>
      db.connection().execute(() => {
        const write = () => whenFree(async () => writeRows(statements, statement, rows));
        return options?.unflushed ? unflushed(write) : write();
      }),
    writeWith: (statement, rows, others) =>
      db.connection().execute(() => whenFree(async () => writeRowsWith(statements, { statement, rows }, others))),
    batch: ((queries) =>
      db.connection().execute(() => whenFree(async () => runBatch(statements, queries)))) as Database<Tables>["batch"],
    unflushed: (run) => db.connection().execute((connection) => unflushed(() => run(connection))),
    listen: commits.listen,
    ping: () => answerInTime(() => sql`select 1 from sqlite_schema limit 1`.execute(db)),
    close: () => (closed ??= close()),
  };
}
