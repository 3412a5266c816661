import type { TestProject } from "vitest/node";
import { startPostgres, type PostgresServer } from "./start-postgres.ts";

/** State that all projects of a run share. It belongs to the process, because each project loads this module again. */
const shared = globalThis as { postgresOfTestRun?: { readonly server: Promise<PostgresServer>; projects: number } };

/**
 * Starts one server for all projects of a run. Each test creates its own database. TEST_POSTGRES_URL selects an existing server instead.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- not an app: the environment of the test run has it
  const existing = process.env["TEST_POSTGRES_URL"];
  if (existing !== undefined) return provide("postgresUrl", existing);
  shared.postgresOfTestRun ??= { server: startPostgres({ fsync: false }), projects: 0 };
  shared.postgresOfTestRun.projects += 1;
  provide("postgresUrl", (await shared.postgresOfTestRun.server).url);
}

/** Stops the server after the last project that uses it. */
export async function teardown(): Promise<void> {
  const run = shared.postgresOfTestRun;
  if (run === undefined) return;
  run.projects -= 1;
  if (run.projects > 0) return;
  delete shared.postgresOfTestRun;
  await (await run.server).stop();
}
