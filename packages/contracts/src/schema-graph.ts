import { isObject, pointerStep } from "./json.ts";
import type { Schema } from "./keywords.ts";

/** A named type of the contract, with its reference relative to the schemas folder. */
export interface NamedType {
  title: string;
  ref: string;
  schema: Schema;
}

const holdsMap = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
const holdsList = new Set(["oneOf", "anyOf", "allOf"]);
const holdsOne = new Set(["items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"]);

/** Visits a schema and every schema inside it, each with its JSON pointer. Does not follow references. */
export function* subschemas(schema: Schema, pointer = ""): Generator<[pointer: string, schema: Schema]> {
  yield [pointer, schema];
  for (const [keyword, value] of Object.entries(schema) as [string, unknown][]) {
    const inner = holdsMap.has(keyword) || holdsList.has(keyword) ? Object.entries(value as object) : [];
    for (const [name, one] of inner)
      if (isObject(one)) yield* subschemas(one, `${pointer}/${keyword}${pointerStep(name)}`);
    if (holdsOne.has(keyword) && isObject(value)) yield* subschemas(value, `${pointer}/${keyword}`);
  }
}

const components = "#/components/";

/** Turns references between schema files into references between the components of one document. */
export function localize(value: unknown, from: string, types: NamedType[]): unknown {
  if (Array.isArray(value)) return value.map((item) => localize(item, from, types));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== "$schema" && key !== "$id");
  return Object.fromEntries(
    members.map(([key, member]) => {
      if (key !== "$ref" || String(member).startsWith(components)) return [key, localize(member, from, types)];
      return [key, `${components}schemas/${typeAt(types, resolveRef(String(member), from)).title}`];
    }),
  );
}

/** Returns the types that some types refer to, including themselves and nested ones, by title. */
export function reachableTypes(from: NamedType[], types: NamedType[]): Map<string, NamedType> {
  const found = new Map<string, NamedType>();
  const visit = (type: NamedType): void => {
    if (found.has(type.title)) return;
    found.set(type.title, type);
    for (const [, schema] of subschemas(type.schema)) {
      if (schema.$ref) visit(typeAt(types, resolveRef(schema.$ref, type.ref)));
      else if (schema.title && schema.properties) visit({ title: schema.title, ref: type.ref, schema });
    }
  };
  from.forEach(visit);
  return found;
}

/** Returns the type at a reference. Every reference was checked when the contract was read, so a miss is a bug of the caller. */
export function typeAt(types: NamedType[], ref: string): NamedType {
  const type = types.find((candidate) => candidate.ref === ref);
  if (!type) throw new Error(`no schema of the contract is at ${ref}`);
  return type;
}

/** Resolves a `$ref` of the schema file `from`, relative to the schemas folder. */
export function resolveRef(ref: string, from: string): string {
  return new URL(ref, `schemas:/${from}`).href.slice("schemas:/".length);
}
