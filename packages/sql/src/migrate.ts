import { sql, type Kysely, type Transaction } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Database, Engine } from "./database.ts";
import { isAdditive } from "./additive-step.ts";
import { NewerDatabaseError } from "./database-errors.ts";
import { checkSearchPath, takeSchema } from "./postgres/schema.ts";

/** A migration step for both engines. Names are ordered: `0001_tasks`. It runs within a transaction. */
export interface MigrationStep {
  // The tables at the time of a step differ from the current type of the database.
  readonly up: (db: Kysely<never>, engine: Engine) => Promise<void>;
  readonly down: (db: Kysely<never>, engine: Engine) => Promise<void>;
}

export type Migrations = Readonly<Record<string, MigrationStep>>;

export interface MigrationTarget {
  readonly database: Database<never>;
  readonly migrations: Migrations;
  /** The PostgreSQL schema of the tables. */
  readonly schema: string;
  /** Whether to refuse every step that this program does not know, also one that only added. */
  readonly exact?: boolean | undefined;
}

/**
 * Applies all pending migration steps, or none. Several processes can start at once: one migrates while the others wait. Returns the names
 * of the steps applied here.
 */
export async function migrate(target: MigrationTarget): Promise<readonly string[]> {
  const { database, schema } = target;
  // If nothing is pending, needs no lock and no right to create tables.
  if (await isUpToDate(database.db, target)) {
    if (database.engine === "postgres") await checkSearchPath(database.db, schema);
    return [];
  }
  return database.transaction(async (transaction) => {
    if (database.engine === "postgres") await takeSchema(transaction, schema);
    // Another process may have migrated while this one waited.
    if (await isUpToDate(transaction, target)) return [];
    const { error, results = [] } = await createMigrator(transaction, target).migrateToLatest();
    if (error !== undefined) throw error;
    return results.map(({ migrationName }) => migrationName);
  });
}

export function createMigrator(
  transaction: Transaction<never>,
  { database: { engine }, migrations, schema }: MigrationTarget,
): Migrator {
  const steps = Object.entries(migrations).map(([name, { up, down }]): [string, Migration] => [
    name,
    { up: (db) => up(db as Kysely<never>, engine), down: (db) => down(db as Kysely<never>, engine) },
  ]);
  return new Migrator({
    db: transaction,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    ...(engine === "postgres" && { migrationTableSchema: schema }),
  });
}

/**
 * Returns whether every step that this program knows was applied. Throws a `NewerDatabaseError` when a newer program applied a step that
 * this one can't work with: the step did more than add, or steps of this program are missing.
 */
async function isUpToDate(db: Kysely<never>, target: MigrationTarget): Promise<boolean> {
  const known = Object.keys(target.migrations);
  const seen = await stepsSeen(db, target);
  const unknown = seen.filter((name) => !known.includes(name));
  const isComplete = known.every((name) => seen.includes(name));
  const refused = target.exact || !isComplete ? unknown : unknown.filter((name) => !isAdditive(name));
  if (refused.length > 0) throw new NewerDatabaseError(refused);
  return isComplete && seen.length > 0;
}

async function stepsSeen(
  db: Kysely<never>,
  { database: { engine }, schema }: MigrationTarget,
): Promise<readonly string[]> {
  const table = engine === "postgres" ? sql.id(schema, "kysely_migration") : sql.id("kysely_migration");
  const { rows: found } =
    engine === "postgres"
      ? await sql`select 1 from pg_tables where schemaname = ${schema} and tablename = 'kysely_migration'`.execute(db)
      : await sql`select 1 from sqlite_schema where name = 'kysely_migration'`.execute(db);
  if (found.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
