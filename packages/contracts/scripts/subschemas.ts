import type { Schema } from "./contract.ts";

const holdsMap = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
const holdsList = new Set(["oneOf", "anyOf", "allOf"]);
const holdsOne = new Set(["items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"]);

/** Visits a schema and every schema inside it, each with its JSON pointer. Does not follow references. */
export function* subschemas(schema: Schema, pointer = ""): Generator<[pointer: string, schema: Schema]> {
  yield [pointer, schema];
  for (const [keyword, value] of Object.entries(schema) as [string, unknown][]) {
    const inner = holdsMap.has(keyword) || holdsList.has(keyword) ? Object.entries(value as object) : [];
    for (const [name, one] of inner)
      if (isObject(one))
        yield* subschemas(one, `${pointer}/${keyword}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (holdsOne.has(keyword) && isObject(value)) yield* subschemas(value, `${pointer}/${keyword}`);
  }
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
