/** Copies the schemas and their tables to a folder, by default the folder that the package ships: `node copy-schemas.ts [folder]`. */
import { cpSync, globSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const packageDir = resolve(import.meta.dirname, "..");
const from = resolve(packageDir, "../../schemas");
const to = resolve(process.argv[2] ?? join(packageDir, "schemas"));

rmSync(to, { recursive: true, force: true });
for (const path of globSync(["**/*.schema.json", "{agent-errors,channels,errors,methods}.json", "**/api.json"], {
  cwd: from,
}))
  cpSync(join(from, path), join(to, path));
