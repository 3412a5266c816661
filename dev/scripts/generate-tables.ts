/** Writes the lists of tables and columns into docs/tables.md, from the zones' databases and the descriptions in this folder. Part of `pnpm generate`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openExecutionDatabase } from "../../apps/execution/src/index.ts";
import { openVerificationDatabase } from "../../apps/verification/src/index.ts";
import { writeGeneratedParts } from "./generated-parts.ts";
import { executionTables } from "./tables/execution-tables.ts";
import { renderTables } from "./tables/render-tables.ts";
import { verificationTables } from "./tables/verification-tables.ts";

const dir = mkdtempSync(join(tmpdir(), "crosszone-tables-"));
try {
  const parts: Record<string, string> = {};
  for (const zone of [
    { name: "verification", open: openVerificationDatabase, tables: verificationTables },
    { name: "execution", open: openExecutionDatabase, tables: executionTables },
  ]) {
    const file = join(dir, zone.name);
    await (await zone.open({ url: `sqlite:${file}` })).close();
    const database = new DatabaseSync(file, { readOnly: true });
    parts[zone.name] = renderTables(database, zone.tables);
    database.close();
  }
  await writeGeneratedParts("tables.md", { script: "dev/scripts/generate-tables.ts", parts });
} finally {
  rmSync(dir, { recursive: true, force: true });
}
