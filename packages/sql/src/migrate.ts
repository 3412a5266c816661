import { sql, type Kysely, type Transaction } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Database, Engine } from "./database.ts";
import { isAdditive } from "./additive-step.ts";
import { NewerDatabaseError } from "./database-errors.ts";
import { checkSearchPath, takeSchema } from "./postgres/schema.ts";

/** One step of the tables' history, for both engines. Its name gives its place: `0001_tasks`. It runs within a transaction. */
export interface MigrationStep {
  // Tables of a step are not those of today, which the type of the database tells.
  readonly up: (db: Kysely<never>, engine: Engine) => Promise<void>;
  readonly down: (db: Kysely<never>, engine: Engine) => Promise<void>;
}

export type Migrations = Readonly<Record<string, MigrationStep>>;

export interface MigrationTarget {
  readonly database: Database<never>;
  readonly migrations: Migrations;
  /** Where the tables are on PostgreSQL. */
  readonly schema: string;
  /** Whether to refuse every step that this program does not know, also one that only added. */
  readonly exact?: boolean | undefined;
}

/**
 * Brings the tables to the latest step, all steps or none. Several processes may start at once: one migrates, the others wait, then
 * find it done. Gives the names of the steps that were done here.
 */
export async function migrate(target: MigrationTarget): Promise<readonly string[]> {
  const { database, schema } = target;
  // Nothing is locked, and no right to make tables is needed, where nothing is to be done.
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
 * Returns whether the database has seen every step that this program knows. Throws a `NewerDatabaseError` when a newer program did a step
 * that this one can't work with: the step did more than add, or steps of this program are missing.
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
