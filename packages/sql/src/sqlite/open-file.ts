import { closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseUnavailableError, isTransient } from "../query/errors.ts";
import { whenFree } from "./node-sqlite.ts";

/** The log is truncated to this size once its content is in the file; bytes. */
const logSizeLimit: number = 64 * 1024 * 1024;

/**
 * Opens a file, or `:memory:`. A commit survives the end of the process; `createLogFlush` writes it to disk. New files are readable by their
 * owner only, because they contain people's text. Throws a `DatabaseUnavailableError`, or SQLite's own error while other processes lock the file.
 */
export async function openDatabaseFile(path: string): Promise<DatabaseSync> {
  const inMemory = path === ":memory:";
  let database: DatabaseSync | undefined;
  try {
    if (!inMemory) makeFile(path);
    const opened = new DatabaseSync(path);
    database = opened;
    // `whenFree` waits for a writer: SQLite's own wait would block the event loop.
    await whenFree(async () => {
      opened.exec("pragma synchronous = normal; pragma foreign_keys = on;");
      opened.exec(`pragma journal_size_limit = ${logSizeLimit}`);
      const mode = opened.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
      if (!inMemory && mode !== "wal") throw new Error("the file system has no shared memory for SQLite's log");
      // The first read creates the log.
      opened.exec("pragma user_version");
    });
    return opened;
  } catch (cause) {
    database?.close();
    if (isTransient(cause)) throw cause;
    throw new DatabaseUnavailableError(
      `The SQLite file ${path} cannot be used: ${(cause as Error).message}. ${adviceOn(cause)}`,
      { cause },
    );
  }
}

function makeFile(path: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseNetworkFolder(folder);
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // An existing file is not touched: opening and closing it would release this process's locks.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** https://www.sqlite.org/rescode.html */
const advice: Readonly<Record<number | string, string>> = {
  11: "It is damaged: restore a backup.",
  13: "Free up space on its disk.",
  26: "Another file is in its place: move it away, or set another folder.",
  EISDIR: "Another file is in its place: move it away, or set another folder.",
  ENOSPC: "Free up space on its disk.",
};

function adviceOn(error: unknown): string {
  const { code = "", errcode } = error as { code?: string; errcode?: number };
  const known = advice[errcode === undefined ? code : errcode & 0xff];
  const user = process.getuid?.();
  return (
    known ??
    `It must be on a local disk, in a folder where ${user === undefined ? "this user" : `user ${user}`} can write.`
  );
}

/** Linux's magic numbers. https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkTypes: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x00c36400: "Ceph",
  0x5346414f: "AFS",
};

/**
 * Throws for a folder on a network file system: processes that share SQLite's log must share memory, or they lose each other's writes.
 * https://www.sqlite.org/wal.html
 */
export function refuseNetworkFolder(
  folder: string,
  typeOf: (folder: string) => number = (at) => statfsSync(at).type,
): void {
  const network = networkTypes[typeOf(folder) >>> 0];
  if (network !== undefined) throw new Error(`its folder is on a network (${network})`);
}

/** How long a checkpoint may wait for readers, with the event loop blocked; milliseconds. */
const longestWaitMs = 100;

/**
 * Writes the log back into the file and restarts it, once it exceeds its limit. SQLite does so itself at the first moment without a reader.
 * With permanent readers that moment never comes, and the log grows with every write.
 * https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
 */
export function shortenLog(database: DatabaseSync, path: string, limit: number = logSizeLimit): void {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= limit) return;
  database.exec(`pragma busy_timeout = ${longestWaitMs}`);
  try {
    database.exec("pragma wal_checkpoint(truncate)");
  } finally {
    database.exec("pragma busy_timeout = 0");
  }
}

/**
 * Copies a SQLite file while processes write to it, in one read transaction: writers don't wait, and can't make it start again. Deleted
 * bytes are left out. `to` must be empty. Then changes the copy by a statement.
 */
export function copySqlite(
  from: string,
  to: string,
  change: { readonly sql: string; readonly values: string[] },
): void {
  const source = new DatabaseSync(from, { timeout: 10_000 });
  source.prepare("vacuum into ?").run(to);
  source.close();
  const copied = new DatabaseSync(to);
  copied.prepare(change.sql).run(...change.values);
  copied.close();
}

/** Moves the log of a SQLite file into it, unless it is damaged. Returns false, and changes nothing, while a process has the file open. */
export function closeSqliteLog(path: string): boolean {
  if (!existsSync(path)) return true;
  try {
    const file = new DatabaseSync(path);
    // Only the last connection can do this.
    file.exec("pragma journal_mode = delete");
    file.close();
    return true;
  } catch (error) {
    return (error as { errcode?: number }).errcode !== 5;
  }
}
