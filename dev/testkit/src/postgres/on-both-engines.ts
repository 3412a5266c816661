import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { dropFreeDatabases, newPostgresDatabase, pooledDatabase } from "./pooled-databases.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The quick suite has no server. */
    postgresUrl: string | undefined;
    /** Part of the names of databases: those of this run. */
    postgresRun: string;
    /** Of `onBothEngines`: SQLite alone in the quick suite; `one` where a change tries a share of what starts processes and whole zones. */
    engines: "both" | "one" | "sqlite";
    /** Whether the run leaves out what the quick suite does as well. */
    isRest: boolean;
  }
}

export type EngineName = "sqlite" | "postgres";

/** Makes an empty database and returns its URL. The database is deleted after the test. */
export type NewDatabase = () => Promise<string>;

type EngineTests = (newDatabase: NewDatabase, engine: EngineName) => void;

/**
 * Describes the same behavior for SQLite, in a real file, and for a real PostgreSQL, whose databases the tests of a package use in turn. The quick
 * suite leaves PostgreSQL out; `pnpm test:all` runs both. A run that tries a share runs what starts processes on PostgreSQL, and whole zones on
 * SQLite, which works in the zone's own process; the night runs both.
 */
export function onBothEngines(name: string, tests: EngineTests): void {
  const [isOne, isRest] = [inject("engines") === "one", inject("isRest")];
  if (!isOne || !isRest) onSqlite(name, tests);
  if (!isOne || isRest) onPostgres(name, (engine) => tests(pooledDatabase, engine));
}

/** The same for tests of migrations, of schemas and of what is special in an empty database: each gets a new one. */
export function onFreshDatabases(name: string, tests: EngineTests): void {
  onSqlite(name, tests);
  onPostgres(name, (engine) => tests(newPostgresDatabase, engine));
}

function onSqlite(name: string, tests: EngineTests): void {
  const isOfProcesses = expect.getState().testPath?.endsWith(".process.test.ts") === true;
  if (inject("isRest") && !isOfProcesses) return;
  describe(`${name} on SQLite`, () => {
    tests(newSqliteDatabase, "sqlite");
  });
}

function onPostgres(name: string, tests: (engine: EngineName) => void): void {
  if (inject("engines") === "sqlite") return;
  describe(`${name} on PostgreSQL`, () => {
    // The rest suite's next file goes on with them; in other modes the worker ends with the file.
    if (!inject("isRest")) afterAll(dropFreeDatabases);
    tests("postgres");
  });
}

/** Tests what only PostgreSQL does. The quick suite has no server, and skips it. */
export function testOnPostgres(name: string, run: () => Promise<void>): void {
  const add = inject("engines") === "sqlite" ? test.skip : test;
  add(name, run);
}

export async function newSqliteDatabase(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-sqlite-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, "test.sqlite")}`;
}
