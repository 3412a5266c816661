/** Makes everything under src/generated and openrpc.json from schemas/. Run by `pnpm generate`; the output is committed. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generateOpenRpc } from "./generate-openrpc.ts";
import { generateErrors, generateMethods } from "./generate-tables.ts";
import { generateTypes } from "./generate-types.ts";
import { generateValidators } from "./generate-validators.ts";
import { namedTypes, readJson, readSchemas, type ErrorRow, type MethodRow } from "./read-schemas.ts";

const root = resolve(import.meta.dirname, "..");
const banner = "/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */\n";

const schemas = readSchemas();
const types = namedTypes(schemas);
const errors = readJson<Record<string, ErrorRow>>("errors.json");
const methods = readJson<Record<string, MethodRow>>("methods.json");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

const files = {
  "types.ts": await generateTypes(types),
  "validators.ts": generateValidators(schemas, types),
  "errors.ts": generateErrors(errors),
  "methods.ts": generateMethods(methods, types),
};
mkdirSync(join(root, "src/generated"), { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(root, "src/generated", name), banner + text);
writeFileSync(
  join(root, "openrpc.json"),
  `${JSON.stringify(generateOpenRpc({ schemas, types, errors, methods, version }), null, 2)}\n`,
);
process.stdout.write(`generated ${types.length} types, ${Object.keys(methods).length} methods, ${Object.keys(errors).length} error kinds\n`);
