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
  file.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (file.prepare("PRAGMA user_version").get()?.["user_version"] !== VERSION) {
    file.exec(`DROP TABLE IF EXISTS kept; PRAGMA user_version = ${VERSION}`);
  }
  file.exec(`CREATE TABLE IF NOT EXISTS kept (
    id INTEGER PRIMARY KEY, map TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, UNIQUE (map, key)
  ) STRICT`);
  return {
    keep: <Value>(name: string) => new KeptMap<Value>(file, name),
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

/** A map whose changes are written to the file. */
class KeptMap<Value> extends Map<string, Value> {
  readonly #name: string;
  readonly #put: ReturnType<DatabaseSync["prepare"]>;
  readonly #remove: ReturnType<DatabaseSync["prepare"]>;

  constructor(file: DatabaseSync, name: string) {
    super();
    this.#name = name;
    this.#put = file.prepare(
      "INSERT INTO kept (map, key, value) VALUES (?, ?, ?) ON CONFLICT (map, key) DO UPDATE SET value = excluded.value",
    );
    this.#remove = file.prepare("DELETE FROM kept WHERE map = ? AND key = ?");
    for (const { key, value } of file.prepare("SELECT key, value FROM kept WHERE map = ? ORDER BY id").all(name))
      super.set(String(key), deserialize(value as Uint8Array) as Value);
  }

  override set(key: string, value: Value): this {
    this.#put.run(this.#name, key, serialize(value));
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    this.#remove.run(this.#name, key);
    return super.delete(key);
  }
}
