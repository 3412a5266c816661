import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { startPostgres, type PostgresServer } from "./start-postgres.ts";

/** State that all projects of a run share. It belongs to the process, because each project loads this module again. */
const shared = globalThis as { postgresOfTestRun?: { readonly server: Promise<PostgresServer>; projects: number } };

const run = crypto.randomUUID().slice(0, 8);

// oxlint-disable-next-line node/no-process-env -- not an app: the environment of the test run has it
const existing = process.env["TEST_POSTGRES_URL"];

/**
 * Starts one server for all projects of a run. Tests create their databases on it. TEST_POSTGRES_URL selects an existing server instead.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  provide("postgresRun", run);
  if (existing !== undefined) return provide("postgresUrl", existing);
  shared.postgresOfTestRun ??= { server: startPostgres({ fsync: false }), projects: 0 };
  shared.postgresOfTestRun.projects += 1;
  provide("postgresUrl", (await shared.postgresOfTestRun.server).url);
}

/** Stops the server after the last project that uses it. An existing one loses the databases of this run. */
export async function teardown(): Promise<void> {
  if (existing !== undefined) return dropDatabases(existing);
  const { postgresOfTestRun } = shared;
  if (postgresOfTestRun === undefined) return;
  postgresOfTestRun.projects -= 1;
  if (postgresOfTestRun.projects > 0) return;
  delete shared.postgresOfTestRun;
  await (await postgresOfTestRun.server).stop();
}

async function dropDatabases(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname like 'test\\_${run}\\_%'`,
  );
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}
