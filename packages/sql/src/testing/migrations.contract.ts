import { onFreshDatabases } from "@crosszone/testkit/postgres";
import { NO_MIGRATIONS } from "kysely/migration";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "kysely";
import type { Database } from "../query/database.ts";
import type { Migrations } from "../made-tables.ts";
import { createMigrator, isAdditive, migrate } from "../migrate.ts";
import { openDatabase } from "../open-database.ts";

/** The contract of every migration history, on both engines: each step can be undone and repeated, and an `add` step only adds. */
export function migrationsContract(migrations: Migrations): void {
  const schema = "contract";
  const target = { schema, holder: "it", migrations };
  const names = Object.keys(migrations).toSorted();

  onFreshDatabases("migrations", (newDatabase) => {
    const open = async (): Promise<Database<never>> => {
      const database = await openDatabase<never>({ url: await newDatabase(), schema, migrations: {} });
      onTestFinished(() => database.close());
      return database;
    };
    const migrateTo = (database: Database<never>, name: string | typeof NO_MIGRATIONS): Promise<void> =>
      database.transaction(async (transaction) => {
        const { error } = await createMigrator(transaction, { database, ...target }).migrateTo(name);
        if (error !== undefined) throw error;
      });

    test("run all the way up, down to nothing, and up again with the same result", async () => {
      const database = await open();
      expect(await migrate({ database, ...target })).toEqual(names);
      const full = await describeTables(database, schema);
      await migrateTo(database, NO_MIGRATIONS);
      expect(await describeTables(database, schema)).toEqual([]);
      expect(await migrate({ database, ...target })).toEqual(names);
      expect(await describeTables(database, schema)).toEqual(full);
    });

    test("each step's down undoes exactly its up", async () => {
      const database = await open();
      for (const [index, name] of names.entries()) {
        const before = await describeTables(database, schema);
        await migrateTo(database, name);
        const after = await describeTables(database, schema);
        expect(isAdditive(name) ? findBreaking(before, after) : [], `${name} breaks older builds`).toEqual([]);
        await migrateTo(database, names[index - 1] ?? NO_MIGRATIONS);
        expect(await describeTables(database, schema), `after ${name} was undone`).toEqual(before);
        await migrateTo(database, name);
        expect(await describeTables(database, schema), `after ${name} was done again`).toEqual(after);
      }
    });
  });
}

/** Returns everything that migrations created, as comparable lines: tables with their columns, indexes, constraints, and other objects. */
export async function describeTables({ db, engine }: Database<never>, schema: string): Promise<readonly string[]> {
  const { rows } =
    engine === "sqlite"
      ? await sql<{ line: string }>`
          select type || ' ' || name || ': ' || coalesce(sql, '') as line from sqlite_schema
          where name not like 'kysely%' and tbl_name not like 'kysely%' and tbl_name not like 'sqlite%'`.execute(db)
      : await sql<{ line: string }>`
          with ours as (
            select oid, relname, relkind from pg_class
            where relnamespace = ${schema}::regnamespace and relname not like 'kysely%'
          )
          select concat_ws(' ', 'relation', relkind, relname, pg_get_indexdef(oid)) as line from ours where relkind in ('i')
          union all select concat_ws(' ', 'relation', relkind, relname) from ours where relkind not in ('i')
          union all
          select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid))
          from ours join pg_attribute on attrelid = ours.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
          where attnum > 0 and not attisdropped
          union all select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid))
          from ours join pg_constraint on conrelid = ours.oid
          union all select concat_ws(' ', 'trigger', relname, pg_get_triggerdef(pg_trigger.oid))
          from ours join pg_trigger on tgrelid = ours.oid where not tgisinternal
          union all select concat_ws(' ', 'function', pg_get_functiondef(oid))
          from pg_proc where pronamespace = ${schema}::regnamespace and prokind <> 'a'
          union all select concat_ws(' ', 'type', typname)
          from pg_type where typnamespace = ${schema}::regnamespace and typrelid = 0 and typelem = 0`.execute(db);
  return rows.map(({ line }) => line).toSorted();
}

/**
 * Returns the lines of `describeTables` that break an older build after a step: removed or changed ones, and those that constrain the rows
 * of an existing table.
 */
export function findBreaking(before: readonly string[], after: readonly string[]): readonly string[] {
  const tables = before.flatMap((line) => /^(?:table|relation [rp]) ([^\s:]+)/.exec(line)?.[1] ?? []);
  const gone = before.filter((line) => !after.some((other) => other === line || addsColumns(line, other)));
  const constraining = after.filter(
    (line) =>
      !before.includes(line) && tables.includes(tableOf(line)) && !harmless.some((isHarmless) => isHarmless(line)),
  );
  return [...gone, ...constraining];
}

/** SQLite keeps the statement that created a table and adds new columns behind the others, which can't be `not null` without a default. */
function addsColumns(line: string, other: string): boolean {
  const at = line.split("").findIndex((character, index) => character !== other[index]);
  const added = other.slice(at, at + other.length - line.length);
  const isInserted = `${line.slice(0, at)}${added}${line.slice(at)}` === other;
  return line.startsWith("table ") && isInserted && !/\b(check|references)\b/i.test(added);
}

/** Of an index, a trigger, or PostgreSQL's column or constraint. */
const tableOf = (line: string): string =>
  (/ on (?:\w+\.)?"?(\w+)/i.exec(line) ?? /^(?:column|constraint|trigger) (\w+)/.exec(line))?.[1] ?? "";

const harmless: readonly ((line: string) => boolean)[] = [
  (line) => /\bcreate index\b/i.test(line),
  // `f`: nullable. A default follows the `t` of a column that is not.
  (line) => line.startsWith("column ") && !line.endsWith(" t"),
  // PostgreSQL 18 lists this of a column as well.
  (line) => /^constraint \S+ \S+ NOT NULL \w+$/.test(line),
];

/** Returns the names of all tables of a zone, except those of the migrations. */
export async function listTables({ engine, db }: Database<never>): Promise<readonly string[]> {
  const query = {
    sqlite: "select name from sqlite_master where type = 'table'",
    postgres: "select table_name as name from information_schema.tables where table_schema = current_schema()",
  };
  const { rows } = await sql.raw<{ name: string }>(query[engine]).execute(db);
  return rows
    .map(({ name }) => name)
    .filter((name) => !/^(kysely|sqlite)_/.test(name))
    .toSorted();
}
