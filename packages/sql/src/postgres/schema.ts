import { sql, type Kysely, type Transaction } from "kysely";
import { DatabaseUnavailableError } from "../database-errors.ts";

/** An arbitrary number, the same in all versions of this program. */
const migrationLock = "7083614702";

/** Waits for other migrating processes, and creates the schema if needed. The lock lasts until the end of the transaction. */
export async function takeSchema(transaction: Transaction<never>, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.raw(migrationLock)})`.execute(transaction);
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(transaction);
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(transaction);
  await checkSearchPath(transaction, schema);
}

/**
 * Queries name tables without their schema, which comes from the connection. A pooler can drop that option, and the tables of both zones
 * would mix in `public`. Throws a `DatabaseUnavailableError` then.
 */
export async function checkSearchPath(db: Kysely<never>, schema: string): Promise<void> {
  const { rows } = await sql<{ current: string | null }>`select current_schema() as current`.execute(db);
  const current = rows[0]?.current ?? null;
  if (current === schema) return;
  throw new DatabaseUnavailableError(
    `The connection to PostgreSQL uses the schema ${JSON.stringify(current)}, not ${JSON.stringify(schema)}: a pooler ` +
      "drops the connection's options, or the role may not use that schema. Use the pooler's session mode, or connect without it; " +
      `or let it ignore the parameter "options" and set it for the role: alter role … in database … set search_path = ${schema}.`,
  );
}
