import { type ApiSource, type Contract, type NamedType, resolveRef, typeAt } from "./contract.ts";
import { localize, reachableTypes } from "./schema-graph.ts";

type Json = Record<string, unknown>;

/**
 * Returns a part of the API as one OpenAPI 3.1 document, with the shared components and all referenced types:
 * https://spec.openapis.org/oas/v3.1.1
 */
export function generateOpenApi({ types, api, version }: Contract, part: ApiSource): Json {
  const { path: _path, info, paths: _paths, components: _components, ...frame } = api.frame;
  const sources = new Set([api.frame, part]);
  const schemas = [...sources].flatMap(({ path, ...document }) =>
    [...referencesIn(document)].map((ref) => typeAt(types, resolveRef(ref, path))),
  );
  const reached = reachableTypes(schemas, types);
  const named = types
    .filter(({ title }) => reached.has(title))
    .map(({ title, ref, schema }: NamedType) => [title, localize(schema, ref, types)]);
  const components: Record<string, Json> = {};
  for (const source of sources)
    for (const [section, members] of Object.entries(source.components))
      components[section] = { ...components[section], ...(localize(members, source.path, types) as Json) };
  return {
    ...frame,
    info: { ...info, version },
    paths: localize(part.paths, part.path, types),
    components: { ...components, schemas: Object.fromEntries(named) },
  };
}

/** The references that lead to schema files. */
function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === "$ref" && !String(member).startsWith("#/")) yield String(member);
    else yield* referencesIn(member);
  }
}
