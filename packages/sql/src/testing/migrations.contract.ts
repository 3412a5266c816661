import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { NO_MIGRATIONS } from "kysely/migration";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../query/database.ts";
import { isAdditive } from "../migrations/inspection.ts";
import { createMigrator, migrate, type Migrations } from "../migrations/migrate.ts";
import { openDatabase } from "../open-database.ts";
import { describeTables, findBreaking } from "./describe-tables.ts";

/** The contract of every migration history, on both engines: each step can be undone and repeated, and an `add` step only adds. */
export function migrationsContract(migrations: Migrations): void {
  const schema = "contract";
  const target = { schema, holder: "it", migrations };
  const names = Object.keys(migrations).toSorted();

  contractOnBothEngines("migrations", (newDatabase) => {
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
