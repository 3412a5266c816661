import { Client } from "pg";
import { readPostgresUrl } from "../postgres/connection-url.ts";
import { compareSteps, type Inspection } from "./inspection.ts";

const oldestVersion = 14;

/** Inspects a PostgreSQL schema in a read-only transaction. */
export async function inspectPostgres(
  { url, schema }: { readonly url: string; readonly schema: string },
  steps: readonly string[],
): Promise<Inspection> {
  const client = new Client({ ...readPostgresUrl(url), connectionTimeoutMillis: 5_000 });
  // A connection that breaks also rejects the query that waits for it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin read only");
    const first = async <Row>(query: string, values: readonly unknown[] = []): Promise<Row | undefined> =>
      (await client.query(query, [...values])).rows[0] as Row | undefined;
    const askedAt = Date.now();
    const clock = await first<{ at: string }>("select extract(epoch from clock_timestamp()) * 1000 as at");
    const middle = (askedAt + Date.now()) / 2;
    const server = await first<{ version: string }>("select current_setting('server_version') as version");
    const tls = await first<{ ssl: boolean }>("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    const table = await first<{ name: string | null }>("select to_regclass($1) as name", [
      `${schema}.kysely_migration`,
    ]);
    const applied =
      table?.name == null
        ? []
        : (await client.query<{ name: string }>(`select name from ${table.name} order by name`)).rows;
    const version = server?.version.split(" ", 1)[0] ?? "";
    return {
      version: `PostgreSQL ${version}`,
      tooOld: Number.parseInt(version, 10) < oldestVersion,
      tls: tls?.ssl === true,
      clockAheadMs: Math.round(Number(clock?.at) - middle),
      ...compareSteps(
        steps,
        applied.map(({ name }) => name),
      ),
    };
  } finally {
    await client.end();
  }
}
