import type { OpenApiDocument } from "./api-part.ts";

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly "x-content"?: boolean;
}

export interface DescribedResponses {
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

/** Returns a function that copies a response body or event of an operation without the members that its schemas mark as `x-content`. */
export function createHideContent(
  { components }: OpenApiDocument,
  { responses = {} }: DescribedResponses,
): (value: unknown) => unknown {
  const named = (components["schemas"] ?? {}) as Readonly<Record<string, Schema>>;
  const roots = Object.values(responses).flatMap(({ content = {} }) => Object.values(content).map((one) => one.schema));

  /** Returns the schemas that describe the same value: the schema, and those that it refers to. */
  function* described(schema: Schema): Generator<Schema> {
    yield schema;
    const target = schema.$ref && named[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)];
    for (const one of [...(target ? [target] : []), ...(schema.oneOf ?? [])]) yield* described(one);
  }

  function copy(schemas: readonly Schema[], value: unknown): unknown {
    if (schemas.length === 0 || typeof value !== "object" || value === null) return value;
    const all = schemas.flatMap((schema) => [...described(schema)]);
    if (Array.isArray(value)) {
      const items = all.flatMap((schema) => schema.items ?? []);
      return value.map((item) => copy(items, item));
    }
    const members = Object.entries(value).map(([name, member]) => {
      const found = all.flatMap(({ properties = {} }) => (Object.hasOwn(properties, name) ? [properties[name]] : []));
      return [name, member, found as Schema[]] as const;
    });
    const shown = members.filter(([, , found]) => !found.some((schema) => schema["x-content"]));
    return Object.fromEntries(shown.map(([name, member, found]) => [name, copy(found, member)]));
  }

  return (value) => copy(roots, value);
}
