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

test.each(zones)("the page has each table of the $title, with its columns and its key", async ({ title, open }) => {
  const database = (await open(memory)) as never as Database<never>;
  onTestFinished(() => database.close());
  const [section = ""] = new RegExp(`^## ${title}$[^]*?(?=^## |(?![^]))`, "m").exec(page) ?? [];
  const shown = [...section.matchAll(/^### `(\w+)`\n\nA row is .+\. Deleted: .+\.\n\n(.*)$/gm)];
  const real: [table: string, columns: string][] = [];
  for (const table of await listTables(database)) {
    const { rows } = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${table})`.execute(
      database.db,
    );
    real.push([table, rows.map(({ name, pk }) => `\`${name}\`${pk > 0 ? " (key)" : ""}`).join(", ")]);
  }
  expect(new Map(shown.map(([, table = "", columns = ""]) => [table, columns]))).toEqual(new Map(real));
});

test("every variable of the page is one", () => {
  const variables = [...page.matchAll(/`([A-Z][A-Z_]{5,})`/g)].map(([, name = ""]) => name);
  const known = { ...verificationConfig, ...executionConfig };
  expect(variables.length).toBeGreaterThan(4);
  expect(variables.filter((name) => !Object.hasOwn(known, name))).toEqual([]);
});
