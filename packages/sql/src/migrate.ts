import { type Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Database, Engine } from "./query/database.ts";
import { DatabaseUnavailableError, NewerDatabaseError } from "./query/errors.ts";

/**
 * Returns whether builds that do not know a step still work on its tables. The name says so: `0018_add_labels`. Such a step only adds:
 * tables, columns that may be empty or have a default, and indexes that are not unique. `migrationsContract` checks that.
 */
export const isAdditive = (step: string): boolean => /^\d{4}_add_[a-z]/.test(step);

export interface Inspection {
  /** `PostgreSQL 18.1`, `SQLite 3.51.0`. */
  readonly version: string;
  /** Whether it is older than the zones require. */
  readonly tooOld: boolean;
  /** Whether the connection is encrypted; absent for a local file. */
  readonly tls?: boolean;
  /** How far its clock is ahead of this machine's, milliseconds; absent for a local file. */
  readonly clockAheadMs?: number;
  /** Migration steps: the number of known steps that were applied, the pending ones, and the ones that only a newer program knows. */
  readonly done: number;
  readonly pending: readonly string[];
  /** Steps of a newer program: those that only added, with which this program works, and the others. */
  readonly added: readonly string[];
  readonly unknown: readonly string[];
  /** What the given query found; absent without a query, and with pending steps. */
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
}

/** Compares the applied steps of a database with those of the program. */
export function compareSteps(known: readonly string[], applied: readonly string[]) {
  const pending = known.filter((step) => !applied.includes(step));
  const newer = applied.filter((step) => !known.includes(step));
  const added = pending.length > 0 ? [] : newer.filter(isAdditive);
  return {
    done: known.length - pending.length,
    pending,
    added,
    unknown: newer.filter((step) => !added.includes(step)),
  };
}

/** A migration step for both engines. Names are ordered: `0001_tasks`. It runs within a transaction. */
export interface MigrationStep {
  // The tables at the time of a step differ from the current type of the database.
  readonly up: (db: Kysely<never>, engine: Engine) => Promise<void>;
  readonly down: (db: Kysely<never>, engine: Engine) => Promise<void>;
}

export type Migrations = Readonly<Record<string, MigrationStep>>;

/** Returns a step that creates tables; undone, it drops them in reverse order. */
export const tablesStep = (names: readonly string[], up: MigrationStep["up"]): MigrationStep => ({
  up,
  down: async (db) => {
    for (const name of names.toReversed()) await db.schema.dropTable(name).execute();
  },
});

/**
 * Returns a step that runs statements of SQL with semicolons in between, which create tables, and indexes of other tables; undone, it drops
 * these in reverse order.
 */
export function sqlStep(text: string | ((engine: Engine) => string)): MigrationStep {
  const textFor = (engine: Engine): string => (typeof text === "string" ? text : text(engine));
  const names = [...textFor("sqlite").matchAll(/^\s*create table (\w+)/gm)].map(([, name = ""]) => name);
  const indexes = [...textFor("sqlite").matchAll(/^\s*create (?:unique )?index (\w+) on (\w+)/gm)];
  const step = tablesStep(names, async (db, engine) => {
    for (const statement of textFor(engine).split(";"))
      if (statement.trim() !== "") await sql.raw(statement).execute(db);
  });
  const down: MigrationStep["down"] = async (db, engine) => {
    for (const [, index = "", table = ""] of indexes.toReversed())
      if (!names.includes(table)) await db.schema.dropIndex(index).execute();
    await step.down(db, engine);
  };
  return { ...step, down };
}

/** Returns one step that does all of these in order; undone, it undoes them in reverse order. */
export const joinSteps = (...steps: readonly MigrationStep[]): MigrationStep => ({
  up: async (db, engine) => {
    for (const { up } of steps) await up(db, engine);
  },
  down: async (db, engine) => {
    for (const { down } of steps.toReversed()) await down(db, engine);
  },
});

interface MigrationTarget {
  readonly database: Database<never>;
  readonly migrations: Migrations;
  /** The PostgreSQL schema of the tables. */
  readonly schema: string;
  /** What to delete, for people, when the database is of a build before the first release: `the folder /data`. */
  readonly holder: string;
  /** Whether to refuse every step that this program does not know, also one that only added. */
  readonly exact?: boolean;
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
    migrationTableSchema: engine === "postgres" ? schema : undefined,
  });
}

/**
 * Returns whether every step that this program knows was applied. Throws a `NewerDatabaseError` when a newer program applied a step that
 * this one can't work with: the step did more than add, or steps of this program are missing. Throws a `DatabaseUnavailableError` for
 * tables that do not begin with this program's first step: builds before the first release made them.
 */
async function isUpToDate(db: Kysely<never>, target: MigrationTarget): Promise<boolean> {
  const known = Object.keys(target.migrations);
  const applied = await appliedSteps(db, target);
  const [first] = known;
  if (first !== undefined && applied.length > 0 && !applied.includes(first))
    throw new DatabaseUnavailableError(
      `A build before the first release made this database, and no version can read it: delete ${target.holder} and start again.`,
    );
  const unknown = applied.filter((name) => !known.includes(name));
  const isComplete = known.every((name) => applied.includes(name));
  const refused = target.exact || !isComplete ? unknown : unknown.filter((name) => !isAdditive(name));
  if (refused.length > 0) throw new NewerDatabaseError(refused);
  return isComplete && applied.length > 0;
}

async function appliedSteps(
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
async function checkSearchPath(db: Kysely<never>, schema: string): Promise<void> {
  const { rows } = await sql<{ current: string | null }>`select current_schema() as current`.execute(db);
  const current = rows[0]?.current ?? null;
  if (current === schema) return;
  throw new DatabaseUnavailableError(
    `The connection to PostgreSQL uses the schema ${JSON.stringify(current)}, not ${JSON.stringify(schema)}: a pooler ` +
      "drops the connection's options, or the role may not use that schema. Use the pooler's session mode, or connect without it; " +
      `or let it ignore the parameter "options" and set it for the role: alter role … in database … set search_path = ${schema}.`,
  );
}
