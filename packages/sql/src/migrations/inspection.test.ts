import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { type Migrations, type MigrationStep, NewerDatabaseError } from "../index.ts";
import { isAdditive } from "./inspection.ts";
import { noteMigrations, openNotes } from "../testing/note-migrations.ts";

const addLabel: MigrationStep = {
  up: (db) => db.schema.alterTable("note").addColumn("label", "text").execute(),
  down: (db) => db.schema.alterTable("note").dropColumn("label").execute(),
};
const newer: Migrations = { ...noteMigrations, "0002_add_label": addLabel };

test.each([
  ["0002_add_label", true],
  ["0002_address", false],
  ["0002_drop_add_label", false],
  ["add_label", false],
])("the name %s: an additive step is %s", (name, additive) => {
  expect(isAdditive(name)).toBe(additive);
});

contractOnBothEngines("additive steps", (newDatabase) => {
  test("the build before an addition opens the database and writes to it, and the newer one continues", async () => {
    const url = await newDatabase();
    const upgraded = await openNotes(url, { migrations: newer });
    await upgraded.close();
    const older = await openNotes(url);
    await older.db.insertInto("note").values({ id: "1", at: 1, text: null }).execute();
    await older.close();
    const again = await openNotes(url, { migrations: newer });
    expect(await again.db.selectFrom("note").selectAll().execute()).toEqual([
      { id: "1", at: 1, text: null, label: null },
    ]);
  });

  test("a build with a pending step of its own is refused, and so is one that must know every table", async () => {
    const url = await newDatabase();
    const upgraded = await openNotes(url, { migrations: newer });
    await upgraded.close();
    const other = { ...noteMigrations, "0002_other": addLabel };
    await expect(openNotes(url, { migrations: other })).rejects.toThrow(/0002_add_label/);
    const exact = openNotes(url, { exact: true });
    await expect(exact).rejects.toBeInstanceOf(NewerDatabaseError);
    await expect(exact).rejects.toThrow(/Use that version or a later one/);
  });

  test("a step that did more than add is refused, and only that step is named", async () => {
    const url = await newDatabase();
    const later = await openNotes(url, {
      migrations: { ...newer, "0003_later": { up: async () => undefined, down: async () => undefined } },
    });
    await later.close();
    await expect(openNotes(url)).rejects.toThrow(/database \(0003_later\)/);
  });
});
