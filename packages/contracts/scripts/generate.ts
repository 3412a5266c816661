/** Writes everything that is made from schemas/. Run by `pnpm generate`; the output is committed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateFiles, repoDir } from "./generate-files.ts";
import { readContract } from "./read-contract.ts";

try {
  const contract = readContract();
  const files = await generateFiles(contract);
  for (const [path, text] of files) {
    mkdirSync(join(repoDir, dirname(path)), { recursive: true });
    writeFileSync(join(repoDir, path), text);
  }
  process.stdout.write(`generated ${files.size} files from ${contract.types.length} types\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
