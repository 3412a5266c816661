import { isDeepStrictEqual } from "node:util";
import { isTokenScope, type TokenScope } from "@crosszone/contracts";
import { apiMethods, type ApiPart, type OpenApiDocument } from "./api-part.ts";
import type { ApiOperation } from "./serve-exchange.ts";

interface DescribedOperation extends DescribedResponses {
  readonly operationId?: string;
  readonly security?: readonly { readonly adminToken?: readonly unknown[] }[];
}

type Members = Readonly<Record<string, unknown>>;

/** Merges several documents. Throws if a component differs between documents, or a path is in more than one. */
export function mergeDocuments(first: OpenApiDocument, others: readonly OpenApiDocument[]): OpenApiDocument {
  const all = [first, ...others];
  const sections = new Set(all.flatMap(({ components }) => Object.keys(components)));
  return {
    ...first,
    paths: mergeMembers(
      all.map(({ paths }) => paths),
      () => false,
    ) as OpenApiDocument["paths"],
    components: Object.fromEntries(
      [...sections].map((section) => [
        section,
        mergeMembers(
          all.map(({ components }) => components[section] ?? {}),
          isDeepStrictEqual,
        ),
      ]),
    ),
  };
}

function mergeMembers(all: readonly Members[], mayMeet: (one: unknown, other: unknown) => boolean): Members {
  const merged = new Map<string, unknown>();
  for (const [name, member] of all.flatMap(Object.entries<unknown>)) {
    if (merged.has(name) && !mayMeet(merged.get(name), member))
      throw new Error(`two parts of the API define ${name}: rename one of them`);
    merged.set(name, member);
  }
  return Object.fromEntries(merged);
}

/** Returns what a request for an operation of a document needs. */
export function operationOf(document: OpenApiDocument, template: string, method: string): ApiOperation {
  const operation = (document.paths[template]?.[method] ?? {}) as DescribedOperation;
  const [scope] = operation.security?.[0]?.adminToken ?? [];
  return {
    operationId: operation.operationId,
    scope: isTokenScope(scope) ? scope : undefined,
    hideContent: createHideContent(document, operation),
  };
}

/** Throws unless a part serves exactly what its document describes, each operation with a scope. `/openapi.json` is served for all parts. */
export function checkServed({ document, paths }: ApiPart): void {
  const said = operationsOf(document.paths);
  const served = operationsOf(paths);
  const scopeAt = (line: string): TokenScope | undefined => {
    const [method = "", template = ""] = line.split(" ");
    return operationOf(document, template, method.toLowerCase()).scope;
  };
  const wrong = [
    ...[...said].filter((line) => !served.has(line)).map((line) => `${line} is in the document but not served`),
    ...[...served].filter((line) => !said.has(line)).map((line) => `${line} is served but not in the document`),
    ...[...said].filter((line) => scopeAt(line) === undefined).map((line) => `${line} has no scope in its security`),
  ];
  if (wrong.length > 0) throw new Error(wrong.join("; "));
}

function operationsOf(paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Set<string> {
  const all = Object.entries(paths).flatMap(([template, path]) =>
    apiMethods.filter((method) => method in path).map((method) => `${method.toUpperCase()} ${template}`),
  );
  return new Set(all);
}

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly "x-content"?: boolean;
}

interface DescribedResponses {
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

/** Returns a function that copies a response body or event of an operation without the members that its schemas mark as `x-content`. */
function createHideContent(
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
