import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, inject, onTestFinished } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    /** Of `onBothEngines`: SQLite alone in the quick suite. */
    engines: "both" | "sqlite";
  }
}

export type EngineName = "sqlite" | "postgres";

/** Makes an empty database and gives its URL. It goes with the test that asked. */
export type NewDatabase = () => Promise<string>;

type EngineTests = (newDatabase: NewDatabase, engine: EngineName) => void;

/**
 * Describes the same behaviour for SQLite, in a real file, and for a real PostgreSQL. The quick suite leaves PostgreSQL out; `pnpm test:all`
 * runs both.
 */
export function onBothEngines(name: string, tests: EngineTests): void {
  onSqlite(name, tests);
  if (inject("engines") === "both") onPostgres(name, tests);
}

/** The contract of what talks to the database itself: on both engines in the quick suite too. */
export function contractOnBothEngines(name: string, tests: EngineTests): void {
  onSqlite(name, tests);
  onPostgres(name, tests);
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
  const server = inject("postgresUrl");
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const admin = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await admin(`create database ${name}`);
  onTestFinished(() => admin(`drop database ${name} with (force)`));
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
