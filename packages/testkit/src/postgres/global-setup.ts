import type { TestProject } from "vitest/node";
import { startPostgres, type PostgresServer } from "./start-postgres.ts";

let server: PostgresServer | undefined;

/** One server for all tests of a run; each takes a database of its own. TEST_POSTGRES_URL names one that is there already. */
export async function setup({ provide }: TestProject): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- no app: who runs the tests says it
  const existing = process.env["TEST_POSTGRES_URL"];
  server = existing === undefined ? await startPostgres() : undefined;
  provide("postgresUrl", existing ?? server?.url ?? "");
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
