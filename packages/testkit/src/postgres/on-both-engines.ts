import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, inject, onTestFinished } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export type EngineName = "sqlite" | "postgres";

/** Makes an empty database and gives its URL. It goes with the test that asked. */
export type NewDatabase = () => Promise<string>;

/** Describes the same behaviour for SQLite, in a real file, and for a real PostgreSQL. */
export function onBothEngines(name: string, tests: (newDatabase: NewDatabase, engine: EngineName) => void): void {
  describe(`${name} on SQLite`, () => {
    tests(newSqliteDatabase, "sqlite");
  });
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
