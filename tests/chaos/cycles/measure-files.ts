import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface FileFigures {
  readonly name: string;
  /** Of the file and its write-ahead log, bytes, as the last process left them. */
  readonly bytes: number;
  /** What `pragma integrity_check` says: `ok`, or what is broken. */
  readonly integrity: string;
}

/** Looks at SQLite files that nobody has open. */
export function measureFiles(urls: readonly string[]): FileFigures[] {
  return urls.map((url) => {
    const path = url.slice("sqlite:".length);
    const bytes = [path, `${path}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
    const database = new DatabaseSync(path);
    try {
      const rows = database.prepare("pragma integrity_check").all();
      return { name: basename(path), bytes, integrity: rows.map((row) => String(Object.values(row)[0])).join("; ") };
    } finally {
      database.close();
    }
  });
}
