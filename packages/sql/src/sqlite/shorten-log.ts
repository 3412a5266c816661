import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { logSizeLimit } from "./open-file.ts";

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
