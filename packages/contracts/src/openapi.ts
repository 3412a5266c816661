/** `@crosszone/contracts/openapi`: the HTTP API of the execution zone in OpenAPI 3.1, put together from the schemas when it is asked for. */
import { apiFrame, apiSources, type OpenApiDocument } from "./api-sources.ts";
import { contractVersion } from "./generated/methods.ts";
import * as validators from "./generated/validators.ts";
import { localize, reachableTypes, resolveRef, typeAt, type NamedType } from "./schema-graph.ts";

export type { OpenApiDocument } from "./api-sources.ts";

type Section = Readonly<Record<string, unknown>>;

/** Returns a part of the API as a document of its own, with the shared components and all types that it refers to. */
export function openApi(part: keyof typeof apiSources | "frame"): OpenApiDocument {
  const types = namedTypes();
  const { path: _path, info, paths: _paths, components: _components, ...shared } = apiFrame;
  const source = part === "frame" ? apiFrame : apiSources[part];
  const sources = new Set([apiFrame, source]);
  const schemas = [...sources].flatMap(({ path, ...document }) =>
    [...referencesIn(document)].map((ref) => typeAt(types, resolveRef(ref, path))),
  );
  const reached = reachableTypes(schemas, types);
  const named = types
    .filter(({ title }) => reached.has(title))
    .map(({ title, ref, schema }) => [title, localize(schema, ref, types)]);
  const components: Record<string, Section> = {};
  for (const { path, components: own } of sources)
    for (const [section, members] of Object.entries(own))
      components[section] = { ...components[section], ...(localize(members, path, types) as Section) };
  return {
    ...shared,
    info: { ...info, version: contractVersion },
    paths: localize(source.paths, source.path, types) as OpenApiDocument["paths"],
    components: { ...components, schemas: Object.fromEntries(named) },
  };
}

/** The types of the contract, found by their validators. */
function namedTypes(): NamedType[] {
  return Object.entries(validators).map(([name, { ref, schema }]) => ({ title: name.slice("is".length), ref, schema }));
}

/** The references that lead to schema files. */
function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === "$ref" && !String(member).startsWith("#/")) yield String(member);
    else yield* referencesIn(member);
  }
}
