import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { executionConfig, openExecutionDatabase } from "@crosszone/execution";
import { listTables, type Database } from "@crosszone/sql";
import { openVerificationDatabase, verificationConfig } from "@crosszone/verification";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/tables.md"), "utf8");
const memory = { url: "sqlite::memory:" };
const zones = [
  { title: "Verification zone", open: openVerificationDatabase },
  { title: "Execution zone", open: openExecutionDatabase },
];

test.each(zones)("the page has each table of the $title, with its primary key", async ({ title, open }) => {
  const database = (await open(memory)) as never as Database<never>;
  onTestFinished(() => database.close());
  const section = new RegExp(`^## ${title}\n([^]*?)<!-- end -->`, "m").exec(page)?.[1] ?? "";
  const tables = [...section.matchAll(/^### `(\w+)`\n([^]*?)(?=^### |(?![^]))/gm)];
  const shown = tables
    .map(([, table = "", text = ""]) => [table, [...text.matchAll(/`(\w+)` \(key\)/g)].map(([, key]) => key)])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  const real: unknown[] = [];
  for (const table of await listTables(database)) {
    const { rows: keys } = await sql<{
      name: string;
    }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(database.db);
    real.push([table, keys.map(({ name }) => name)]);
  }
  expect(shown).toEqual(real);
});

test("every variable of the page is one", () => {
  const variables = [...page.matchAll(/`([A-Z][A-Z_]{5,})`/g)].map(([, name = ""]) => name);
  const known = { ...verificationConfig, ...executionConfig };
  expect(variables.length).toBeGreaterThan(4);
  expect(variables.filter((name) => !Object.hasOwn(known, name))).toEqual([]);
});
