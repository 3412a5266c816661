import type { Database } from "./database.ts";
import { migrate, type Migrations } from "./migrate.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

export interface OpenOptions {
  /** `postgres://…` or `postgresql://…`; `sqlite:` and a path; or `sqlite::memory:`, which is gone with the process. */
  readonly url: string;
  /** Names the tables' schema on PostgreSQL, so that both zones may use one server. */
  readonly schema: string;
  readonly migrations: Migrations;
  /** Connections to PostgreSQL at most (default 10). */
  readonly connections?: number;
  /** Told of a connection that broke while nobody used it. */
  readonly onIdleError?: (error: unknown) => void;
}

/** Opens a database by its URL and brings its tables up to date. */
export async function openDatabase<Tables>({ url, migrations, ...options }: OpenOptions): Promise<Database<Tables>> {
  const database = url.startsWith("sqlite:")
    ? openSqlite<Tables>(url.slice("sqlite:".length))
    : // The driver is loaded only where it is needed.
      (await import("./postgres/open-postgres.ts")).openPostgres<Tables>({ url, ...options });
  try {
    await migrate({ database: database as never, migrations, schema: options.schema });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
