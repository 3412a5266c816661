import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseUnavailableError } from "../database-errors.ts";
import { isTransient } from "../is-transient.ts";
import { refuseNetworkFolder } from "./network-folder.ts";
import { whenFree } from "./when-free.ts";

/** The log is truncated to this size once its content is in the file; bytes. */
export const logSizeLimit: number = 64 * 1024 * 1024;

/**
 * Opens a file, or `:memory:`. A commit is on disk before it returns. New files are readable by their owner only, because they contain
 * people's text. Throws a `DatabaseUnavailableError`, or SQLite's own error while other processes lock the file.
 */
export async function openFile(path: string): Promise<DatabaseSync> {
  const inMemory = path === ":memory:";
  let database: DatabaseSync | undefined;
  try {
    if (!inMemory) makeFile(path);
    const opened = new DatabaseSync(path);
    database = opened;
    // `whenFree` waits for a writer: SQLite's own wait would block the event loop.
    await whenFree(async () => {
      opened.exec("pragma synchronous = full; pragma foreign_keys = on;");
      opened.exec(`pragma journal_size_limit = ${logSizeLimit}`);
      const mode = opened.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
      if (!inMemory && mode !== "wal") throw new Error("the file system has no shared memory for SQLite's log");
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
