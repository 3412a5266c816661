import type { Database } from "./database.ts";
import { isTransient } from "./is-transient.ts";
import { migrate, type Migrations } from "./migrate.ts";
import { patiently } from "./patiently.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";
import { unavailable } from "./unavailable.ts";

export interface OpenOptions {
  /** `postgres://…` or `postgresql://…`; `sqlite:` and a path; or `sqlite::memory:`, which is gone with the process. */
  readonly url: string;
  /** Names the tables' schema on PostgreSQL, so that both zones may use one server. */
  readonly schema: string;
  readonly migrations: Migrations;
  /** Whether to refuse a database to which a newer program only added, too: for commands that must see every table (default false). */
  readonly exact?: boolean;
  /** Connections to PostgreSQL at most (default 10). */
  readonly connections?: number;
  /** What a statement may take on PostgreSQL, and how long a transaction may rest; milliseconds (default 10 s; 0: any time). Migrations may take any time. */
  readonly statementTimeoutMs?: number;
  /** How long to wait for a database that is not up yet; milliseconds (default 30 s). */
  readonly waitMs?: number;
  /** Told before each wait for a database that is not up yet. */
  readonly onWait?: (error: unknown) => void;
  /** Told of a connection that broke while nobody used it. */
  readonly onIdleError?: (error: unknown) => void;
}

/**
 * Opens a database by its URL and brings its tables up to date. Throws a `DatabaseUnavailableError` when it is not there in time, or
 * does not let us in.
 */
export async function openDatabase<Tables>({
  waitMs = 30_000,
  onWait,
  ...options
}: OpenOptions): Promise<Database<Tables>> {
  const open = options.url.startsWith("sqlite:") ? openSqliteFile : openPostgresServer;
  return patiently(() => open<Tables>(options), {
    budgetMs: waitMs,
    ...(onWait && { onRepeat: ({ error }) => onWait(error) }),
  });
}

async function openSqliteFile<Tables>({ url, migrations, schema, exact }: OpenOptions): Promise<Database<Tables>> {
  const path = url.slice("sqlite:".length);
  const name = `The SQLite file ${path}`;
  const database = await openSqlite<Tables>(path).catch((error: unknown) => {
    throw unavailable(name, error);
  });
  try {
    await migrate({ database: database as never, migrations, schema, exact }).catch(unlessStep(name));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openPostgresServer<Tables>({
  url,
  migrations,
  exact,
  ...options
}: OpenOptions): Promise<Database<Tables>> {
  // The driver is loaded only where it is needed.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  const { readPostgresUrl } = await import("./postgres/connection-url.ts");
  const address = readPostgresUrl(url);
  // Who migrates, or waits for who migrates, may take longer than a statement of everyday.
  const patient = openPostgres<never>({ address, schema: options.schema, connections: 1, statementTimeoutMs: 0 });
  try {
    await patient.ping().catch((error: unknown) => {
      throw unavailable(address.name, error);
    });
    await migrate({ database: patient, migrations, schema: options.schema, exact }).catch(unlessStep(address.name));
  } finally {
    await patient.close();
  }
  return openPostgres<Tables>({ ...options, address });
}

/** What is wrong with a step itself comes through as it is; a right that is missing is the database's. */
function unlessStep(name: string): (error: unknown) => never {
  return (error) => {
    throw isTransient(error) || (error as { code?: string }).code === "42501" ? unavailable(name, error) : error;
  };
}
