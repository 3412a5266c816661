import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool, TypeOverrides, types } from "pg";
import type { Database } from "../database.ts";
import { writeRows } from "./write-rows.ts";

export interface PostgresOptions {
  readonly url: string;
  /** The schema that holds the tables; it is created by the migrations. */
  readonly schema: string;
  readonly connections?: number;
  /** Told of a connection that broke while nobody used it. */
  readonly onIdleError?: (error: unknown) => void;
}

/** An existing PostgreSQL, 14 or later. Any number of processes may share it. */
export function openPostgres<Tables>({
  url,
  schema,
  connections = 10,
  onIdleError,
}: PostgresOptions): Database<Tables> {
  const overrides = new TypeOverrides();
  // Counts and Unix milliseconds: far below what a number holds exactly.
  overrides.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    options: `-c search_path=${schema}`,
    types: overrides,
  });
  pool.on("error", (error) => onIdleError?.(error));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    engine: "postgres",
    db,
    transaction: (run) => db.transaction().execute(run),
    write: (statement, rows) => writeRows(pool, statement, rows),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: () => db.destroy(),
  };
}
