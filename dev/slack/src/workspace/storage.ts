import { DatabaseSync } from "node:sqlite";
import { deserialize, serialize } from "node:v8";

/** Where the workspace is kept. */
export interface Storage {
  /** Returns the map with this name, with its values of earlier starts. A value that changes in place has to be set again. */
  readonly keep: <Value>(name: string) => Map<string, Value>;
  /** Makes all changes of a function or, if the process is killed, none. */
  readonly atomically: <Result>(change: () => Result) => Result;
  readonly close: () => void;
}

/** Returns a storage that is forgotten when the process ends. */
export function storageInMemory(): Storage {
  return { keep: () => new Map(), atomically: (change) => change(), close: () => undefined };
}

/** Changes with the shape of what is kept. */
const VERSION = 1;

/** Opens a storage that survives `kill -9`: every change is in the file when the call returns. Throws if the file is not usable. */
export function openStorage(path: string): Storage {
  const file = new DatabaseSync(path, { timeout: 5_000 });
  try {
    file.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  } catch (cause) {
    throw new Error(`cannot read ${path}; delete it to start with an empty workspace`, { cause });
  }
  if (file.prepare("PRAGMA user_version").get()?.["user_version"] !== VERSION)
    file.exec(`DROP TABLE IF EXISTS kept; PRAGMA user_version = ${VERSION}`);
  file.exec(`CREATE TABLE IF NOT EXISTS kept (
    id INTEGER PRIMARY KEY, map TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, UNIQUE (map, key)
  ) STRICT`);
  return {
    keep: (name) => keptMap(file, name),
    atomically: (change) => {
      if (file.isTransaction) return change();
      file.exec("BEGIN IMMEDIATE");
      try {
        return change();
      } finally {
        file.exec("COMMIT");
      }
    },
    close: () => file.close(),
  };
}

/** Returns a map whose changes are written to the file. */
function keptMap<Value>(file: DatabaseSync, name: string): Map<string, Value> {
  const rows = file.prepare("SELECT key, value FROM kept WHERE map = ? ORDER BY id").all(name);
  const put = file.prepare(
    "INSERT INTO kept (map, key, value) VALUES (?, ?, ?) ON CONFLICT (map, key) DO UPDATE SET value = excluded.value",
  );
  const remove = file.prepare("DELETE FROM kept WHERE map = ? AND key = ?");
  const map = new Map(rows.map(({ key, value }) => [String(key), deserialize(value as Uint8Array) as Value]));
  map.set = (key, value) => {
    put.run(name, key, serialize(value));
    return Map.prototype.set.call(map, key, value) as typeof map;
  };
  map.delete = (key) => {
    remove.run(name, key);
    return Map.prototype.delete.call(map, key);
  };
  return map;
}
