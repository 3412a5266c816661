/** Copies the schemas and their tables to a folder, by default the folder that the package ships: `node copy-schemas.ts [folder]`. */
import { cpSync, globSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const from = join(root, "schemas");
const to = resolve(process.argv[2] ?? join(root, "packages/contracts/schemas"));

rmSync(to, { recursive: true, force: true });
for (const path of globSync(["**/*.schema.json", "{agent-errors,channels,errors,methods}.json", "**/api.json"], {
  cwd: from,
}))
  cpSync(join(from, path), join(to, path));
