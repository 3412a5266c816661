import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The hand-written contract that everything here is generated from. */
export const schemasDir: string = resolve(import.meta.dirname, "../../../schemas");

export interface Schema {
  $id: string;
  title: string;
  [keyword: string]: unknown;
}

/** A named type of the contract: where it stands, as a reference relative to the schemas folder. */
export interface NamedType {
  title: string;
  ref: string;
  schema: Record<string, unknown>;
}

export interface ErrorRow {
  code: number;
  retryable: boolean;
  title: string;
  description: string;
}

export interface MethodRow {
  summary: string;
  description: string;
  params: string;
  result: string;
  errors: string[];
}

/** Keywords that json-schema-to-typescript turns into a wrong type without a word. */
const refused = ["prefixItems", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef"];

/** Reads every schema file, by path relative to the schemas folder; refuses what cannot be generated faithfully. */
export function readSchemas(): Map<string, Schema> {
  const paths = globSync("**/*.schema.json", { cwd: schemasDir }).toSorted();
  return new Map(paths.map((path) => [path, readSchema(path)]));
}

function readSchema(path: string): Schema {
  const text = readFileSync(join(schemasDir, path), "utf8");
  for (const keyword of refused)
    if (text.includes(`"${keyword}"`)) throw new Error(`${path}: ${keyword} cannot be generated; use another keyword`);
  const schema = JSON.parse(text) as Schema;
  if (!schema.$id.endsWith(`/schemas/${path}`)) throw new Error(`${path}: $id must end in /schemas/${path}`);
  return schema;
}

/** Each schema file is a type; in a file of `$defs`, each definition is one. */
export function namedTypes(schemas: Map<string, Schema>): NamedType[] {
  return [...schemas].flatMap(([path, schema]) => {
    const defs = schema["$defs"] as Record<string, Record<string, unknown>> | undefined;
    if (!defs) return [{ title: schema.title, ref: path, schema }];
    return Object.entries(defs).map(([title, def]) => ({ title, ref: `${path}#/$defs/${title}`, schema: def }));
  });
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(schemasDir, path), "utf8")) as T;
}
