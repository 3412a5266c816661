/** Writes the lists of tables and columns into docs/tables.md, from the zones' databases and the descriptions in this folder. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { format } from "prettier";
import { openExecutionDatabase } from "../../apps/execution/src/index.ts";
import { openVerificationDatabase } from "../../apps/verification/src/index.ts";
import { executionTables } from "./tables/execution-tables.ts";
import { renderTables } from "./tables/render-tables.ts";
import { verificationTables } from "./tables/verification-tables.ts";

const page = resolve(import.meta.dirname, "../../docs/tables.md");
const dir = mkdtempSync(join(tmpdir(), "crosszone-tables-"));
try {
  let text = readFileSync(page, "utf8");
  for (const zone of [
    { name: "verification", open: openVerificationDatabase, tables: verificationTables },
    { name: "execution", open: openExecutionDatabase, tables: executionTables },
  ]) {
    const file = join(dir, zone.name);
    await (await zone.open({ url: `sqlite:${file}` })).close();
    const database = new DatabaseSync(file, { readOnly: true });
    const place = new RegExp(`<!-- ${zone.name}:[^>]*-->[^]*?<!-- end -->`);
    const notice = `<!-- ${zone.name}: written by dev/scripts/generate-tables.ts, do not edit -->`;
    text = text.replace(place, () => `${notice}\n\n${renderTables(database, zone.tables)}\n\n<!-- end -->`);
    database.close();
  }
  writeFileSync(page, await format(text, { parser: "markdown", printWidth: 120 }));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
