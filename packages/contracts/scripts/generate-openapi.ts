import { resolveRef, typeAt, type Contract, type NamedType } from "./contract.ts";
import { localise } from "./localise.ts";
import { reachableTypes } from "./reachable-types.ts";

type Json = Record<string, unknown>;

/** Where the paths of the registry's API are written by hand, with references to the schemas. */
const source = "registry/api.json";

/** The registry's API as one OpenAPI 3.1 document, with the types that it leads to: https://spec.openapis.org/oas/v3.1.1 */
export function generateOpenApi({ types, registryApi, version }: Contract): Json {
  const { info, components, ...others } = registryApi as Json & { info: Json; components: Json };
  const named = [...referencesIn(registryApi)].map((ref) => typeAt(types, resolveRef(ref, source)));
  const reached = reachableTypes(named, types);
  const schemas = types
    .filter(({ title }) => reached.has(title))
    .map(({ title, ref, schema }: NamedType) => [title, localise(schema, ref, types)]);
  const document = { ...others, info: { ...info, version }, components };
  return {
    ...(localise(document, source, types) as Json),
    components: { ...(localise(components, source, types) as Json), schemas: Object.fromEntries(schemas) },
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
