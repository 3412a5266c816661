import { Client } from "pg";
import { expect, inject, onTestFinished } from "vitest";

/** A database of tests on the server of the run. Its name changes with each test, so that nothing that outlived a test can reach it. */
interface TestDatabase {
  name: string;
  /** The last transaction before it was used. */
  readonly born: string;
}

/** Databases that wait for the next test, by the package whose tables they have. They belong to the worker: its files share them. */
const free = new Map<string, TestDatabase[]>();

/** Makes an empty database and returns its URL. The database is deleted after the test. */
export async function newPostgresDatabase(): Promise<string> {
  const database = await create();
  onTestFinished(() => drop(database));
  return urlOf(database);
}

/**
 * Returns the URL of a database without rows: a new one, or one that an earlier test of the same package used. The tables of that test are
 * still there. After the test it is emptied for the next one, or dropped, if the test failed or changed more than rows.
 */
export async function pooledDatabase(): Promise<string> {
  const databases = freeDatabases();
  const database = databases.pop() ?? (await create());
  onTestFinished(async ({ task }) => {
    const isClean = task.result?.state !== "fail" && (await close(database)) && (await empty(database));
    if (isClean) databases.push(database);
    else await drop(database);
  });
  return urlOf(database);
}

/** Drops the databases that wait for a next test. */
export async function dropFreeDatabases(): Promise<void> {
  for (const database of [...free.values()].flatMap((databases) => databases.splice(0))) await drop(database);
}

/** Those of the package of the test that runs: all its tests open a schema with the same migrations. */
function freeDatabases(): TestDatabase[] {
  const [folder] = /^.*?(?=\/(?:src\/|[^/]*$))/.exec(expect.getState().testPath ?? "") ?? [""];
  const databases = free.get(folder) ?? [];
  free.set(folder, databases);
  return databases;
}

const newName = (): string => `test_${inject("postgresRun")}_${crypto.randomUUID().replaceAll("-", "")}`;

async function create(): Promise<TestDatabase> {
  const name = newName();
  await onServer(`create database ${name}`);
  const [row] = await onServer("select pg_current_xact_id()::xid::text as born");
  return { name, born: row?.["born"] ?? "" };
}

async function drop({ name }: TestDatabase): Promise<void> {
  await onServer(`drop database ${name} with (force)`);
}

function serverUrl(): string {
  const url = inject("postgresUrl");
  if (url !== undefined) return url;
  throw new Error("The quick suite has no PostgreSQL: use testOnPostgres, or begin with the line // suite: rest.");
}

const urlOf = ({ name }: TestDatabase): string => Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;

/** The connection to the server's first database. It stays open: to open one costs more than most statements. */
let server: Promise<Client> | undefined;

async function onServer(statement: string): Promise<readonly Record<string, string>[]> {
  server ??= connect(serverUrl());
  return (await (await server).query<Record<string, string>>(statement)).rows;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // A lost connection fails the next statement.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/**
 * Ends all connections, with what they hold: locks, listeners, prepared plans. Returns whether that succeeded: whoever connects again and again
 * has not ended with the test.
 */
async function close(database: TestDatabase): Promise<boolean> {
  const name = newName();
  try {
    await onServer(closeAndRename(database.name, name));
  } catch (error) {
    if ((error as { code?: string }).code === inUse) return false;
    throw error;
  }
  database.name = name;
  return true;
}

/** PostgreSQL's code of an object that is in use. */
const inUse = "55006";

const closeAndRename = (name: string, next: string): string => `
  do $$ begin
    loop
      perform pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}';
      exit when not found;
      perform pg_sleep(0.002), pg_stat_clear_snapshot();
    end loop;
    alter database ${name} rename to ${next};
  end $$`;

/** Deletes all rows except those of migrations. Returns whether only rows have changed since the migrations. */
async function empty(database: TestDatabase): Promise<boolean> {
  const client = await connect(urlOf(database));
  try {
    await client.query(checkAndEmpty(database));
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === changed) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** A code of our own, for the exception below. */
const changed = "TS001";

/** What describes tables, types, functions and rights. */
const catalogs = (
  "attrdef attribute class constraint default_acl enum event_trigger extension index namespace " +
  "policy proc publication rewrite sequence trigger type"
)
  .split(" ")
  .map((name) => `pg_${name}`);

/**
 * All migrations of a schema run in the transaction that makes their own table: what another one made or changed in the catalogs is the
 * test's. What was dropped shows in the statistics only.
 */
const checkAndEmpty = ({ born }: TestDatabase): string => `
  do $$ declare one record; other boolean; begin
    select exists (
      select from (${catalogs.map((name) => `select xmin as made from ${name}`).join(" union all ")}) as it
      where age(made) < age('${born}'::xid) and made <> all (array(select xmin from pg_class where relname = 'kysely_migration'))
    ) or exists (
      select from pg_stat_all_tables where n_tup_del > 0 and relname in ('kysely_migration', '${catalogs.join("', '")}')
    ) or exists (
      select from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())
    ) into other;
    for one in select relnamespace::regnamespace as schema, xmin as made from pg_class where relname = 'kysely_migration' loop
      execute format('select $1 or exists (select from %s.kysely_migration where xmin <> $2)', one.schema) into other using other, one.made;
    end loop;
    if other then raise exception 'The test changed more than rows' using errcode = '${changed}'; end if;
    set local session_replication_role = replica;
    for one in select oid::regclass as name from pg_class
      where relkind = 'r' and relname not like 'kysely_%' and oid >= 16384 and pg_relation_size(oid) > 0 loop
      execute format('delete from %s', one.name);
    end loop;
    perform setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences where last_value is not null;
  end $$`;
