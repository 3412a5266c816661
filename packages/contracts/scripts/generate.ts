/**
 * Writes everything that is made from schemas/. Run by `pnpm generate`; the output is committed. What is the same already is not
 * written again, so that nobody who watches the files restarts for nothing.
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
