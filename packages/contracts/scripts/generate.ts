/**
 * Writes everything generated from schemas/. Run by `pnpm generate`; the output is committed. Unchanged files are not written, so that file
 * watchers do not restart.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateFiles, repoDir } from "./generate-files.ts";
import { readContract } from "./read-contract.ts";

try {
  const contract = readContract();
  const files = await generateFiles(contract);
  for (const [path, text] of files) {
    const file = join(repoDir, path);
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  process.stdout.write(`generated ${files.size} files from ${contract.types.length} types\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
