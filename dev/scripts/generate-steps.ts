/** Writes the digests of all migration steps, which `pnpm lint` compares with those of earlier commits. Part of `pnpm generate`. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { executionMigrations } from "../../apps/execution/src/store/migrations.ts";
import { verificationMigrations } from "../../apps/verification/src/database.ts";
import { digestsOf } from "../../packages/sql/src/made-tables.ts";
import { stepsFile } from "./structure/steps.ts";

const digests: Record<string, string> = {};
for (const [zone, migrations] of Object.entries({
  execution: executionMigrations,
  verification: verificationMigrations,
}))
  for (const engine of ["postgres", "sqlite"] as const)
    for (const [step, digest] of Object.entries(await digestsOf(migrations, engine)))
      digests[`${zone} ${step} ${engine}`] = digest;
writeFileSync(resolve(import.meta.dirname, "../..", stepsFile), `${JSON.stringify(digests, null, 2)}\n`);
