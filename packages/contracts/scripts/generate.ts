/**
 * Writes everything generated from schemas/. Run by `pnpm generate`; the output is committed. Unchanged files are not written, so that file
 * watchers do not restart.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format } from "prettier";
import { generateFiles, repoDir } from "./generate-files.ts";
import { readContract } from "./read-contract.ts";

/** Writes names that another file decides into a schema: into the enumeration after `before`. */
async function writeNames(path: string, before: string, names: readonly string[]): Promise<void> {
  const file = join(repoDir, path);
  const old = readFileSync(file, "utf8");
  const [head = "", tail = ""] = old.split(before);
  const listed = tail.replace(/"enum": \[[^\]]*\]/, `"enum": ${JSON.stringify(names)}`);
  const text = await format(`${head}${before}${listed}`, { parser: "json", printWidth: 120 });
  if (text !== old) writeFileSync(file, text);
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(repoDir, path), "utf8"));

async function writeAllNames(): Promise<void> {
  await writeNames(
    "schemas/jsonrpc/zone-request.schema.json",
    '"method": {',
    Object.keys(read("schemas/methods.json") as object),
  );
  const { oneOf: steps } = read("schemas/workflow/step.schema.json") as {
    readonly oneOf: readonly { readonly properties: { readonly type: { readonly const: string } } }[];
  };
  const types = steps.map(({ properties }) => properties.type.const);
  await writeNames("schemas/workflow/members.schema.json", '"title": "StepType",', types);
}

try {
  await writeAllNames();
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
