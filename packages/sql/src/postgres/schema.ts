import { sql, type Kysely, type Transaction } from "kysely";
import { DatabaseUnavailableError } from "../database-errors.ts";

/** Any number that all versions of this program agree on. */
const migrationLock = "7083614702";

/** Waits until no other process migrates, and makes the schema where it is not there yet. Held until the transaction ends. */
export async function takeSchema(transaction: Transaction<never>, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.raw(migrationLock)})`.execute(transaction);
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(transaction);
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(transaction);
  await checkSearchPath(transaction, schema);
}

/**
 * Queries name tables without their schema, which the connection gives. A pooler in between may leave that away, and the tables
 * of both zones would meet in `public`.
 */
export async function checkSearchPath(db: Kysely<never>, schema: string): Promise<void> {
  const { rows } = await sql<{ current: string | null }>`select current_schema() as current`.execute(db);
  const current = rows[0]?.current ?? null;
  if (current === schema) return;
  throw new DatabaseUnavailableError(
    `The connection to PostgreSQL is in the schema ${JSON.stringify(current)}, not in ${JSON.stringify(schema)}: a pooler in between ` +
      "leaves away the connection's options, or the role may not use that schema. Use the pooler's session mode, or go past it; " +
      `or let it ignore the parameter "options" and set the role's own: alter role … in database … set search_path = ${schema}.`,
  );
}
