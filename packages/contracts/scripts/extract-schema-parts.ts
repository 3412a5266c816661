/**
 * Replaces each part of a schema that a validator reads, such as `schema12.properties.role.enum`, with a constant, so that the
 * validator does not include the whole schema. Throws when a validator reads a schema in an unknown form.
 */
export function extractSchemaParts(
  code: string,
  schemas: ReadonlyMap<string, unknown>,
  constant: (prefix: string, code: string) => string,
): string {
  const extracted = code.replace(/\b(schema\d+)((?:\.\w+|\[\d+\])+)/g, (_, schema: string, path: string) => {
    const keys = path.match(/\w+/g) ?? [];
    const part = keys.reduce((value, key) => (value as Record<string, unknown>)[key], schemas.get(schema));
    return constant(keys.at(-1) ?? "", JSON.stringify(keys.at(-1) === "properties" ? onlyNames(part) : part));
  });
  if (/\bschema\d+\b/.test(extracted)) throw new Error("a validator reads a schema in an unknown form");
  return extracted;
}

/** Returns `properties` without their schemas: a validator only needs the names. */
function onlyNames(properties: unknown): Record<string, true> {
  return Object.fromEntries(Object.keys(properties as object).map((name) => [name, true]));
}
