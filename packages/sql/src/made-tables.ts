import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Transaction,
} from "kysely";
import type { Engine } from "./query/database.ts";

/** A migration step for both engines. Names are ordered: `0001_tasks`. It runs within a transaction. */
export interface MigrationStep {
  // The tables at the time of a step differ from the current type of the database.
  readonly up: (db: Kysely<never>, engine: Engine) => Promise<void>;
  readonly down: (db: Kysely<never>, engine: Engine) => Promise<void>;
  /** Statements that fill what an earlier form of the step lacked, after it was added. They change nothing else. */
  readonly mend?: readonly string[];
}

export type Migrations = Readonly<Record<string, MigrationStep>>;

const dialects = {
  sqlite: [SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler],
  postgres: [PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler],
} as const;

/** Returns the statements of a step, without running them: with single spaces, and without the quotes of names. */
async function compile({ up }: MigrationStep, engine: Engine): Promise<readonly string[]> {
  const [Adapter, Introspector, Compiler] = dialects[engine];
  const statements: string[] = [];
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new Introspector(of),
      createQueryCompiler: () => new Compiler(),
    },
    log: ({ query }) => void statements.push(query.sql.trim().replaceAll(/\s+/g, " ").replaceAll('"', "")),
  });
  await up(db, engine);
  return statements;
}

const compiled = { sqlite: new WeakMap(), postgres: new WeakMap() } as Readonly<
  Record<Engine, WeakMap<MigrationStep, Promise<readonly string[]>>>
>;

const statementsOf = (step: MigrationStep, engine: Engine): Promise<readonly string[]> =>
  compiled[engine].getOrInsertComputed(step, () => compile(step, engine));

/** Returns for each step a digest of its statements, which must stay the same once a database has them. */
export async function digestsOf(migrations: Migrations, engine: Engine): Promise<Readonly<Record<string, string>>> {
  const digests = Object.entries(migrations).map(async ([name, step]) => {
    const statements = await statementsOf(step, engine);
    return [name, hash("sha256", statements.join(";\n"), "base64url").slice(0, 22)] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

/** Runs a query on a database of any driver. */
export type ReadRows = (query: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export const readerOf =
  (db: Kysely<never>): ReadRows =>
  async (query) =>
    (await sql.raw<Record<string, unknown>>(query).execute(db)).rows;

/** A step that was applied, with its digest; null in databases of builds that stored none. */
interface AppliedStep {
  readonly name: string;
  readonly digest: string | null;
}

/** Reads the applied steps, in order. */
export async function readSteps(read: ReadRows, engine: Engine, schema: string): Promise<readonly AppliedStep[]> {
  const tables = {
    sqlite: "select 1 from sqlite_schema where name = 'kysely_migration'",
    postgres: `select 1 from pg_tables where schemaname = '${schema}' and tablename = 'kysely_migration'`,
  };
  if ((await read(tables[engine])).length === 0) return [];
  const table = engine === "sqlite" ? "kysely_migration" : `"${schema}".kysely_migration`;
  const rows = (await read(`select * from ${table} order by name`)) as readonly Partial<AppliedStep>[];
  return rows.map(({ name = "", digest = null }) => ({ name, digest }));
}

/** A column of a table. PostgreSQL knows the types that SQLite's tables declare. */
interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_required: number;
  readonly value: string | null;
}

const sqliteColumns = `
  select made.name as "table", of.name, lower(of.type) as type, of."notnull" as is_required, of.dflt_value as value
  from sqlite_schema made, pragma_table_xinfo(made.name) of where made.type = 'table' and made.name not like 'sqlite!_%' escape '!'`;

/** Returns the columns of a database, as `table.column`. */
async function columnNames(read: ReadRows, engine: Engine, schema: string): Promise<ReadonlySet<string>> {
  const postgres = `
    select relname as "table", attname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = to_regnamespace('"${schema}"') and relkind in ('r', 'p') and attnum > 0 and not attisdropped`;
  const rows = await read(engine === "sqlite" ? sqliteColumns : postgres);
  return new Set(rows.map(({ table, name }) => `${String(table)}.${String(name)}`));
}

/** Returns the columns that steps make. Both engines have the same. */
async function columnsOf(migrations: Migrations): Promise<readonly Column[]> {
  const made = new DatabaseSync(":memory:");
  try {
    for (const step of Object.values(migrations))
      for (const statement of await statementsOf(step, "sqlite")) made.exec(statement);
    return made.prepare(sqliteColumns).all() as unknown as readonly Column[];
  } finally {
    made.close();
  }
}

/** What a database lacks. */
interface Missing {
  readonly tables: readonly string[];
  /** Of the tables that are there. */
  readonly columns: readonly Column[];
}

/** The steps of a program, and the schema of their tables on PostgreSQL. */
export interface StepsOfSchema {
  readonly migrations: Migrations;
  readonly schema: string;
}

const tableOfColumn = (name: string): string => name.split(".", 1)[0] ?? "";

const wanted = new WeakMap<Migrations, Promise<readonly Column[]>>();

/** Returns what a database lacks of the tables of all steps. */
export async function findMissing(
  read: ReadRows,
  { migrations, schema }: StepsOfSchema,
  engine: Engine,
): Promise<Missing> {
  const columns = await wanted.getOrInsertComputed(migrations, columnsOf);
  const names = await columnNames(read, engine, schema);
  const there = new Set([...names].map(tableOfColumn));
  return {
    tables: [...new Set(columns.map(({ table }) => table))].filter((table) => !there.has(table)),
    columns: columns.filter(({ table, name }) => there.has(table) && !names.has(`${table}.${name}`)),
  };
}

const tableMade = /^create table (\w+)/;
const subject = /^(?:create table|alter table|create (?:unique )?index \w+ on) (\w+)/;
const indexName = /^create (?:unique )?index (\w+) on /;

/**
 * Brings forward the tables of builds that made them by an earlier form of the steps, and stored no digests: adds missing tables and columns,
 * fills them by the `mend` of each step, and makes all indexes anew. A pending step of which a table is there counts as applied; one that is
 * part of another step now is forgotten. Does nothing to other databases.
 */
export async function mendTables(db: Transaction<never>, steps: StepsOfSchema, engine: Engine): Promise<void> {
  const read = readerOf(db);
  const applied = await readSteps(read, engine, steps.schema);
  if (!applied.some(({ digest }) => digest === null)) return;
  const there = new Set([...(await columnNames(read, engine, steps.schema))].map(tableOfColumn));
  const made: [name: string, step: MigrationStep][] = [];
  for (const [name, step] of Object.entries(steps.migrations)) {
    const isThere = (await statementsOf(step, engine)).some((text) => there.has(tableMade.exec(text)?.[1] ?? ""));
    const isApplied = applied.some((of) => of.name === name);
    const time = new Date().toISOString();
    if (isThere && !isApplied)
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${time})`.execute(db);
    if (isThere || isApplied) made.push([name, step]);
  }
  for (const { name, digest } of applied)
    if (digest === null && steps.migrations[name] === undefined)
      await sql`delete from kysely_migration where name = ${name}`.execute(db);
  const { tables, columns } = await findMissing(read, { ...steps, migrations: Object.fromEntries(made) }, engine);
  const statements = (await Promise.all(made.map(([, step]) => statementsOf(step, engine)))).flat();
  const added = columns.map(({ table, name, type, is_required: required, value }) => {
    const filled = value ?? (required ? (type === "text" ? "''" : "0") : "null");
    return `alter table ${table} add column ${name} ${type} default ${filled}${required ? " not null" : ""}`;
  });
  const mended = made.flatMap(([, { mend = [] }]) => mend);
  const ofMissing = statements.filter((text) => tables.includes(subject.exec(text)?.[1] ?? ""));
  const anew = statements.flatMap((text) => {
    const [, index] = indexName.exec(text) ?? [];
    return index === undefined ? [] : [`drop index if exists ${index}`, text];
  });
  for (const text of [...ofMissing, ...added, ...mended, ...anew]) await sql.raw(text).execute(db);
}

/** Stores the digests of all steps beside their names. */
export async function storeDigests(db: Transaction<never>, steps: StepsOfSchema, engine: Engine): Promise<void> {
  if (!(await columnNames(readerOf(db), engine, steps.schema)).has("kysely_migration.digest"))
    await sql`alter table kysely_migration add column digest text`.execute(db);
  for (const [name, digest] of Object.entries(await digestsOf(steps.migrations, engine)))
    await sql`update kysely_migration set digest = ${digest} where name = ${name} and digest is null`.execute(db);
}
