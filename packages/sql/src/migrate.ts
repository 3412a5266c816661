import { type Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Database, Engine } from "./query/database.ts";
import {
  findMissing,
  digestsOf,
  mendTables,
  type MigrationStep,
  readerOf,
  type ReadRows,
  readSteps,
  type StepsOfSchema,
  storeDigests,
} from "./made-tables.ts";
import { DatabaseUnavailableError, NewerDatabaseError } from "./query/errors.ts";

/**
 * Returns whether builds that do not know a step still work on its tables. The name says so: `0018_add_labels`. Such a step only adds:
 * tables, columns that may be empty or have a default, and indexes that are not unique. `migrationsContract` checks that.
 */
export const isAdditive = (step: string): boolean => /^\d{4}_add_[a-z]/.test(step);

/** How the tables of a database compare with those of the program. */
interface TablesFound {
  /** Migration steps: the number of known steps that were applied, and the pending ones, which the next start applies or checks. */
  readonly done: number;
  readonly pending: readonly string[];
  /** Steps of a newer program: those that only added, with which this program works, and the others. */
  readonly added: readonly string[];
  readonly unknown: readonly string[];
  /** Steps that do something else in this program than what was applied. */
  readonly changed: readonly string[];
  /** Tables and columns that the steps make and the database lacks; none with pending steps. */
  readonly missing: readonly string[];
}

export interface Inspection extends TablesFound {
  /** `PostgreSQL 18.1`, `SQLite 3.51.0`. */
  readonly version: string;
  /** Whether it is older than the zones require. */
  readonly tooOld: boolean;
  /** Whether the connection is encrypted; absent for a local file. */
  readonly tls?: boolean;
  /** How far its clock is ahead of this machine's, milliseconds; absent for a local file. */
  readonly clockAheadMs?: number;
  /** What the given query found; absent without a query, and with pending steps. */
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Compares the tables of a database with those of the program, and changes nothing. Steps without a digest are pending: a build that stored
 * none made them, and the next start checks them.
 */
export async function compareTables(read: ReadRows, steps: StepsOfSchema, engine: Engine): Promise<TablesFound> {
  const known = await digestsOf(steps.migrations, engine);
  const applied = new Map((await readSteps(read, engine, steps.schema)).map(({ name, digest }) => [name, digest]));
  const pending = Object.keys(known).filter((name) => (applied.get(name) ?? null) === null);
  const newer = [...applied.keys()].filter((name) => known[name] === undefined);
  // A step without a digest is of an older build, whose addition is in another step now.
  const added = newer.filter((name) => isAdditive(name) && (pending.length === 0 || applied.get(name) === null));
  const changed = Object.keys(known).filter((name) => !pending.includes(name) && applied.get(name) !== known[name]);
  const done = Object.keys(known).length - pending.length;
  const found = { done, pending, added, unknown: newer.filter((name) => !added.includes(name)), changed };
  if (pending.length > 0) return { ...found, missing: [] };
  const { tables, columns } = await findMissing(read, steps, engine);
  return { ...found, missing: [...tables, ...columns.map(({ table, name }) => `${table}.${name}`)] };
}

/** What is wrong with tables, in words for health checks and errors, and what to do. */
interface TablesProblem {
  readonly what: string;
  readonly todo: string;
}

const some = (names: readonly string[]): string =>
  names.slice(0, 2).join(", ") + (names.length > 2 ? ` and ${names.length - 2} more` : "");

/** Returns why this program can't work with the tables; undefined if it can, once it has applied pending steps. */
export function tablesProblem({ changed, missing }: TablesFound): TablesProblem | undefined {
  if (changed.length > 0)
    return {
      what: `the database was made by another form of ${some(changed)} than this version has`,
      todo: "Use the version that made it, or restore a backup. Never change an applied step: add a step.",
    };
  if (missing.length === 0) return undefined;
  return {
    what: `the database lacks ${some(missing)}, which this version needs`,
    todo: "It was restored in part, or changed by hand: restore a whole backup.",
  };
}

/** Returns a step that creates tables; undone, it drops them in reverse order. */
export const tablesStep = (names: readonly string[], up: MigrationStep["up"]): MigrationStep => ({
  up,
  down: async (db) => {
    for (const name of names.toReversed()) await db.schema.dropTable(name).execute();
  },
});

/**
 * Returns a step that runs statements of SQL with semicolons in between, which create tables, and columns and indexes of other tables; undone, it
 * drops these in reverse order: indexes, columns, tables.
 */
export function sqlStep(text: string | ((engine: Engine) => string)): MigrationStep {
  const textFor = (engine: Engine): string => (typeof text === "string" ? text : text(engine));
  const names = [...textFor("sqlite").matchAll(/^\s*create table (\w+)/gm)].map(([, name = ""]) => name);
  const indexes = [...textFor("sqlite").matchAll(/^\s*create (?:unique )?index (\w+) on (\w+)/gm)];
  const columns = [...textFor("sqlite").matchAll(/^\s*alter table (\w+) add column (\w+)/gm)];
  const step = tablesStep(names, async (db, engine) => {
    for (const statement of textFor(engine).split(";"))
      if (statement.trim() !== "") await sql.raw(statement).execute(db);
  });
  const down: MigrationStep["down"] = async (db, engine) => {
    for (const [, index = "", table = ""] of indexes.toReversed())
      if (!names.includes(table)) await db.schema.dropIndex(index).execute();
    for (const [, table = "", column = ""] of columns.toReversed())
      await db.schema.alterTable(table).dropColumn(column).execute();
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
  mend: steps.flatMap(({ mend = [] }) => mend),
});

interface MigrationTarget extends StepsOfSchema {
  readonly database: Database<never>;
  /** What to delete, for people, when the database is of a build before the first release: `the folder /data`. */
  readonly holder: string;
  /** Whether to refuse every step that this program does not know, also one that only added. */
  readonly exact?: boolean;
}

/**
 * Applies all pending migration steps, or none. Tables of a build that stored no digests are brought forward first. Several processes can
 * start at once: one migrates while the others wait. Returns the names of the steps applied here.
 */
export async function migrate(target: MigrationTarget): Promise<readonly string[]> {
  const { database, schema } = target;
  const { engine } = database;
  // If nothing is pending, needs no lock and no right to create tables.
  if (await isUpToDate(database.db, target)) {
    if (engine === "postgres") await checkSearchPath(database.db, schema);
    return [];
  }
  return database.transaction(async (transaction) => {
    if (engine === "postgres") await takeSchema(transaction, schema);
    // Another process may have migrated while this one waited.
    if (await isUpToDate(transaction, target)) return [];
    await mendTables(transaction, target, engine);
    const { error, results = [] } = await createMigrator(transaction, target).migrateToLatest();
    if (error !== undefined) throw error;
    await storeDigests(transaction, target, engine);
    await isUpToDate(transaction, target);
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
 * tables that do not begin with this program's first step, which builds before the first release made, and for tables that differ from
 * those of the steps.
 */
async function isUpToDate(db: Kysely<never>, target: MigrationTarget): Promise<boolean> {
  const { engine } = target.database;
  const read = readerOf(db);
  const applied = await readSteps(read, engine, target.schema);
  const [first] = Object.keys(target.migrations);
  if (first !== undefined && applied.length > 0 && !applied.some(({ name }) => name === first))
    throw new DatabaseUnavailableError(
      `A build before the first release made this database, and no version can read it: delete ${target.holder} and start again.`,
    );
  const found = await compareTables(read, target, engine);
  const refused = target.exact ? [...found.added, ...found.unknown] : found.unknown;
  if (refused.length > 0) throw new NewerDatabaseError(refused);
  const problem = tablesProblem(found);
  if (problem !== undefined) throw new DatabaseUnavailableError(`${capitalized(problem.what)}. ${problem.todo}`);
  return found.pending.length === 0 && applied.length > 0;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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
      "drops the connection's options, or the role may not use that schema. Set it for the role, which PgBouncer needs in every mode with " +
      `ignore_startup_parameters = options: alter role … in database … set search_path = ${schema}. Or connect without the pooler.`,
  );
}
