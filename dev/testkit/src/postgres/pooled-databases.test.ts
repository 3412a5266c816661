// suite: rest
import { Client } from "pg";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { newPostgresDatabase, pooledDatabase } from "./pooled-databases.ts";

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Makes tables as the migrations of a package do: in one transaction. */
const migrations = `
  create schema if not exists pooled;
  create table if not exists pooled.kysely_migration (name text);
  create table if not exists pooled.note (id serial primary key, text text not null);
  create index if not exists by_text on pooled.note (text);
  insert into pooled.kysely_migration select '0001_notes' where not exists (select from pooled.kysely_migration)`;

async function openPooled() {
  const url = await pooledDatabase();
  const client = await connect(url);
  await client.query(migrations);
  return { url, client, value: async (query: string) => Object.values((await client.query(query)).rows[0] ?? {})[0] };
}

/** What a test leaves that the next one must not find, and what that one sees; the database is used again. */
const harmless: [name: string, leave: string, look: string][] = [
  ["rows", "insert into pooled.note (text) values ('a')", "select count(*) = 0 from pooled.note"],
  ["a sequence", "select nextval('pooled.note_id_seq')", "select nextval('pooled.note_id_seq') = 1"],
  ["a lock", "select pg_advisory_lock(7)", "select pg_try_advisory_lock(7)"],
  ["a listener", "listen note", "select count(*) = 0 from pg_listening_channels()"],
  ["a plan", "prepare one as select 1", "select count(*) = 0 from pg_prepared_statements"],
  ["an open transaction", "begin; lock table pooled.note", "select count(*) = 0 from pooled.note"],
];

/** What it leaves that can't be reset. */
const changes: [name: string, leave: string][] = [
  ["a table", "create table pooled.other (id text)"],
  ["a column", "alter table pooled.note add column other text"],
  ["a default", "alter table pooled.note alter column text set default 'a'"],
  ["an index", "create index on pooled.note (text)"],
  ["an option of a table", "alter table pooled.note set (autovacuum_enabled = false)"],
  ["a type", "create type pooled.kind as enum ('a')"],
  ["a right", "grant select on pooled.note to public"],
  ["a table less", "drop table pooled.note"],
  ["an index less", "drop index pooled.by_text"],
  ["a constraint less", "alter table pooled.note drop constraint note_pkey"],
  ["a migration", "insert into pooled.kysely_migration values ('0002_more')"],
  ["a migration less", "delete from pooled.kysely_migration"],
  ["a setting", `do $$ begin execute format('alter database %I set work_mem = 64', current_database()); end $$`],
];

/** Identifies a database, whose name changes. */
const oid = "select oid from pg_database where datname = current_database()";

describe("the databases that tests use in turn", () => {
  let before: { readonly url: string; readonly oid: unknown };

  const use = async (statement: string) => {
    const { url, client, value } = await openPooled();
    before = { url, oid: await value(oid) };
    await client.query(statement);
  };

  const isThere = async (): Promise<boolean> => {
    const client = await connect(inject("postgresUrl") ?? "");
    const { rowCount } = await client.query("select from pg_database where oid = $1", [before.oid]);
    return rowCount === 1;
  };

  test.fails("a test fails", async () => {
    await use("select 1");
    expect(await isThere()).toBe(false);
  });

  test("and its database is gone", async () => {
    expect(await isThere()).toBe(false);
  });

  describe.each(harmless)("%s", (_name, leave, look) => {
    test("is left", async () => {
      await use(leave);
      expect(await isThere()).toBe(true);
    });

    test("and gone in the next test", async () => {
      const { url, value } = await openPooled();
      expect(url).not.toBe(before.url);
      await expect(connect(before.url), "what outlived its test").rejects.toThrow("does not exist");
      expect(await value(oid)).toBe(before.oid);
      expect(await value(look)).toBe(true);
    });
  });

  describe.each(changes)("%s", (_name, leave) => {
    test("is left", async () => {
      await use(leave);
      expect(await isThere()).toBe(true);
    });

    test("and the database is gone", async () => {
      expect(await isThere()).toBe(false);
    });
  });

  test("two databases of one test are two", async () => {
    expect(await pooledDatabase()).not.toBe(await pooledDatabase());
  });

  test("a new database is empty, whatever others left", async () => {
    const client = await connect(await newPostgresDatabase());
    const { rows } = await client.query("select from pg_class where oid >= 16384");
    expect(rows).toEqual([]);
  });
});
