import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Schema, SchemaFile } from "./contract.ts";

/** Enumerations of the names of a union's variants. `pnpm generate` writes them, so that a new variant is added in one place. */
const enumerations = [
  { path: "workflow/members.schema.json", title: "StepType", union: "workflow/step.schema.json" },
] as const;

/** Fills in the enumerations. Changes the schemas. */
export function nameVariants(schemas: ReadonlyMap<string, SchemaFile>): void {
  for (const { path, title, union } of enumerations) {
    const definition = schemas.get(path)?.$defs?.[title];
    const names = variantsOf(schemas.get(union));
    if (definition && names.length > 0) definition.enum = names;
  }
}

/** Returns the schema files that have such enumerations, as text, by path. */
export function withVariantNames(
  schemasDir: string,
  schemas: ReadonlyMap<string, SchemaFile>,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { path, title } of enumerations) {
    const text = files.get(path) ?? readFileSync(join(schemasDir, path), "utf8");
    const names = JSON.stringify(schemas.get(path)?.$defs?.[title]?.enum);
    files.set(path, text.replace(new RegExp(`("title": "${title}",\\s*"enum": )\\[[^\\]]*\\]`), `$1${names}`));
  }
  return files;
}

function variantsOf(union: Schema | undefined): unknown[] {
  const name = union?.discriminator?.propertyName ?? "";
  return (union?.oneOf ?? []).map(({ properties }) => properties?.[name]?.const);
}
