import type { TestProject } from "vitest/node";
import { startPostgres, type PostgresServer } from "./start-postgres.ts";

let server: PostgresServer | undefined;

/** One server for all tests of a run; each takes a database of its own. */
export async function setup({ provide }: TestProject): Promise<void> {
  server = await startPostgres();
  provide("postgresUrl", server.url);
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
