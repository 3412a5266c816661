import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Migrations, readerOf, type StepsOfSchema } from "./made-tables.ts";
import { compareTables, migrate, tablesProblem } from "./migrate.ts";
import type { PostgresAddress } from "./postgres/connection-url.ts";
import type { Database } from "./query/database.ts";
import { isTransient, retryTransient, databaseUnavailable } from "./query/errors.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

export interface OpenOptions {
  /** `postgres://…` or `postgresql://…`; `sqlite:` and a path; or `sqlite::memory:`, which ends with the process. */
  readonly url: string;
  /** The file that has the URL of PostgreSQL. It is read again when a connection can't be opened: a password can change. */
  readonly urlFile?: string | undefined;
  /** PostgreSQL schema of the tables, so that both zones can use one server. */
  readonly schema: string;
  readonly migrations: Migrations;
  /** Whether to refuse a database to which a newer program only added, too: for commands that must see every table (default false). */
  readonly exact?: boolean;
  /** Maximum number of connections to PostgreSQL (default 10). */
  readonly connections?: number;
  /** Timeout of a PostgreSQL statement and of an idle transaction, milliseconds (default 10 s; 0: none). Does not apply to migrations. */
  readonly statementTimeoutMs?: number;
  /** How long to wait for a database that is not up yet, milliseconds (default 30 s). */
  readonly waitMs?: number;
  /** Called before each wait for a database that is not up yet. */
  readonly onWait?: (error: unknown) => void;
  /** Called when an idle connection breaks. */
  readonly onIdleError?: (error: unknown) => void;
  /** Called once if `listen` can't receive notifications, for example from a pooler in transaction mode. It tries again every minute. */
  readonly onListenError?: (error: unknown) => void;
}

/**
 * Opens a database and migrates its tables. Throws a `DatabaseUnavailableError` when it is not reachable in time or rejects the
 * credentials.
 */
export async function openDatabase<Tables>({
  waitMs = 30_000,
  onWait,
  ...options
}: OpenOptions): Promise<Database<Tables>> {
  const open = options.url.startsWith("sqlite:") ? openSqliteFile : openPostgresServer;
  return retryTransient(() => open<Tables>(options), { budgetMs: waitMs, onRetry: onWait });
}

async function openSqliteFile<Tables>({ url, migrations, schema, exact }: OpenOptions): Promise<Database<Tables>> {
  const path = url.slice("sqlite:".length);
  const name = `The SQLite file ${path}`;
  const database = await openSqlite<Tables>(path).catch((error: unknown) => {
    throw databaseUnavailable(name, error);
  });
  try {
    const holder = `the folder ${dirname(resolve(path))}`;
    await migrate({ database: database as never, migrations, schema, holder, exact }).catch(unlessStep(name));
    return withTables(database, { migrations, schema });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openPostgresServer<Tables>({
  url,
  urlFile,
  migrations,
  exact,
  ...options
}: OpenOptions): Promise<Database<Tables>> {
  const { schema } = options;
  // Load the driver only when needed.
  const { checkPooler, openPostgres } = await import("./postgres/open-postgres.ts");
  const { readPostgresUrl } = await import("./postgres/connection-url.ts");
  const address = readPostgresUrl(url);
  // A migration, or waiting for one, can take longer than a normal statement.
  const migrating = openPostgres<never>({ address, schema, connections: 1, statementTimeoutMs: 0 });
  try {
    await migrating
      .ping()
      .then(() => checkPooler(address))
      .catch((error: unknown) => {
        throw databaseUnavailable(address.name, error);
      });
    const holder = `the schema ${JSON.stringify(schema)} of ${address.name}`;
    await migrate({ database: migrating, migrations, schema, holder, exact }).catch(unlessStep(address.name));
  } finally {
    await migrating.close();
  }
  const renewed = (): PostgresAddress | undefined => {
    try {
      return urlFile === undefined ? undefined : readPostgresUrl(readFileSync(urlFile, "utf8").trim());
    } catch {
      // It is being written, or is no URL now.
      return undefined;
    }
  };
  return withTables(openPostgres<Tables>({ ...options, address, renewed }), { migrations, schema });
}

/** Adds to what can be wrong with a database that its tables are not those of the steps, also because it was replaced since. */
const withTables = <Tables>(database: Database<Tables>, steps: StepsOfSchema): Database<Tables> => ({
  ...database,
  problem: async () => {
    const found = await compareTables(readerOf(database.db as never), steps, database.engine);
    const missing = [...found.pending, ...found.missing];
    const tables = tablesProblem({ ...found, missing, changed: [...found.changed, ...found.unknown] });
    return (await database.problem()) ?? tables?.what;
  },
});

/** Throws an error of a step as it is. A missing right becomes a database error. */
function unlessStep(name: string): (error: unknown) => never {
  return (error) => {
    throw isTransient(error) || (error as { code?: string }).code === "42501"
      ? databaseUnavailable(name, error)
      : error;
  };
}
