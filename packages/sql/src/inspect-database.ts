import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Migrations, ReadRows, StepsOfSchema } from "./made-tables.ts";
import { compareTables, type Inspection } from "./migrate.ts";
import { readPostgresUrl } from "./postgres/connection-url.ts";

/** Inspects a SQLite file; undefined if it does not exist. */
async function inspectSqlite(
  path: string,
  steps: StepsOfSchema,
  query: string | undefined,
): Promise<Inspection | undefined> {
  if (!existsSync(path)) return undefined;
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const read: ReadRows = async (text) => file.prepare(text).all();
    const [row] = await read("select sqlite_version() as version");
    const compared = await compareTables(read, steps, "sqlite");
    const rows = query === undefined || compared.pending.length > 0 ? undefined : await read(query);
    return { version: `SQLite ${String(row?.["version"])}`, tooOld: false, ...compared, rows };
  } finally {
    file.close();
  }
}

/**
 * Inspects a database without changing it; creates no file, table or schema. Resolves with undefined when the SQLite file does not exist
 * yet. Rejects when the database can't be reached. `read`: a query of the tables.
 */
export async function inspectDatabase({
  url,
  schema,
  migrations,
  read,
}: {
  readonly url: string;
  readonly schema: string;
  readonly migrations: Migrations;
  readonly read?: string;
}): Promise<Inspection | undefined> {
  const steps = { migrations, schema };
  if (url.startsWith("sqlite:")) return inspectSqlite(url.slice("sqlite:".length), steps, read);
  return inspectPostgres({ url, read }, steps);
}

const oldestVersion = 14;

/** Inspects a PostgreSQL schema in a read-only transaction. */
async function inspectPostgres(
  { url, read: query }: { readonly url: string; readonly read?: string | undefined },
  steps: StepsOfSchema,
): Promise<Inspection> {
  // Load the driver only when needed.
  const { Client } = await import("pg");
  const client = new Client({ ...readPostgresUrl(url), connectionTimeoutMillis: 5_000 });
  // A connection that breaks also rejects the query that waits for it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin read only");
    const read: ReadRows = async (text) => (await client.query<Record<string, unknown>>(text)).rows;
    const first = async (text: string): Promise<Readonly<Record<string, unknown>> | undefined> => (await read(text))[0];
    const askedAt = Date.now();
    const clock = await first("select extract(epoch from clock_timestamp()) * 1000 as at");
    const middle = (askedAt + Date.now()) / 2;
    const server = await first("select current_setting('server_version') as version");
    const tls = await first("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    const [version = ""] = String(server?.["version"]).split(" ", 1);
    const compared = await compareTables(read, steps, "postgres");
    const isRead = query !== undefined && compared.pending.length === 0;
    if (isRead) await client.query(`set local search_path to "${steps.schema}"`);
    return {
      version: `PostgreSQL ${version}`,
      tooOld: Number.parseInt(version, 10) < oldestVersion,
      tls: tls?.["ssl"] === true,
      clockAheadMs: Math.round(Number(clock?.["at"]) - middle),
      ...compared,
      ...(isRead && { rows: await read(query) }),
    };
  } finally {
    await client.end();
  }
}
