import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, expect, inject, onTestFinished } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    /** Of `onBothEngines`: SQLite alone in the quick suite. */
    engines: "both" | "sqlite";
    /** Whether the run leaves out what the quick suite does as well. */
    isRest: boolean;
  }
}

export type EngineName = "sqlite" | "postgres";

/** Makes an empty database and returns its URL. The database is deleted after the test. */
export type NewDatabase = () => Promise<string>;

type EngineTests = (newDatabase: NewDatabase, engine: EngineName) => void;

/**
 * Describes the same behavior for SQLite, in a real file, and for a real PostgreSQL. The quick suite leaves PostgreSQL out; `pnpm test:all`
 * runs both.
 */
export function onBothEngines(name: string, tests: EngineTests): void {
  if (!inject("isRest") || isOfProcesses()) onSqlite(name, tests);
  if (inject("engines") === "both") onPostgres(name, tests);
}

/** Returns whether the file that is being read is not in the quick suite. */
const isOfProcesses = (): boolean => expect.getState().testPath?.endsWith(".process.test.ts") === true;

/**
 * The same for tests that make the same tables, and change only rows: on PostgreSQL they take turns with one database, emptied in between. To
 * make it and its tables takes a quarter of a second of CPU time.
 */
export function contractOnSameTables(name: string, tests: EngineTests): void {
  if (!inject("isRest") || isOfProcesses()) onSqlite(name, tests);
  if (inject("engines") === "sqlite") return;
  describe(`${name} on PostgreSQL`, () => {
    tests(reusedDatabases(), "postgres");
  });
}

function onSqlite(name: string, tests: EngineTests): void {
  describe(`${name} on SQLite`, () => {
    tests(newSqliteDatabase, "sqlite");
  });
}

function onPostgres(name: string, tests: EngineTests): void {
  describe(`${name} on PostgreSQL`, () => {
    tests(newPostgresDatabase, "postgres");
  });
}

export async function newSqliteDatabase(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-sqlite-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, "test.sqlite")}`;
}

export async function newPostgresDatabase(): Promise<string> {
  const { url, drop } = await createPostgresDatabase();
  onTestFinished(drop);
  return url;
}

/** Shares one database between the tests of a `describe`, in turn, and drops it after the last. */
function reusedDatabases(): NewDatabase {
  const all = new Set<TestDatabase>();
  const free: TestDatabase[] = [];
  afterAll(async () => {
    for (const { drop } of all) await drop();
  });
  return async () => {
    const database = free.pop() ?? (await createPostgresDatabase());
    all.add(database);
    onTestFinished(async () => {
      await query(database.url, emptyTables);
      free.push(database);
    });
    return database.url;
  };
}

type TestDatabase = Awaited<ReturnType<typeof createPostgresDatabase>>;

async function createPostgresDatabase() {
  const server = inject("postgresUrl");
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await query(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return { url, drop: () => query(server, `drop database ${name} with (force)`) };
}

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Closes all connections, and deletes all rows except those of migrations. */
const emptyTables = `
  do $$ declare one record; begin
    loop
      perform pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
      exit when not found;
      perform pg_sleep(0.002), pg_stat_clear_snapshot();
    end loop;
    set local session_replication_role = replica;
    for one in select schemaname, tablename from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') and tablename not like 'kysely_%' loop
      execute format('delete from %I.%I', one.schemaname, one.tablename);
    end loop;
    for one in select schemaname, sequencename from pg_sequences loop
      execute format('alter sequence %I.%I restart', one.schemaname, one.sequencename);
    end loop;
  end $$`;
