/** `@crosszone/contracts/openapi`: the HTTP API of the execution zone in OpenAPI 3.1, put together from the schemas when it is asked for. */
import frame from "#schemas/api.json" with { type: "json" };
import audit from "#schemas/audit/api.json" with { type: "json" };
import bulk from "#schemas/bulk/api.json" with { type: "json" };
import hook from "#schemas/hook/api.json" with { type: "json" };
import input from "#schemas/input/api.json" with { type: "json" };
import mcp from "#schemas/mcp/api.json" with { type: "json" };
import registry from "#schemas/registry/api.json" with { type: "json" };
import schedule from "#schemas/schedule/api.json" with { type: "json" };
import task from "#schemas/task/api.json" with { type: "json" };
import token from "#schemas/token/api.json" with { type: "json" };
import usage from "#schemas/usage/api.json" with { type: "json" };
import workflow from "#schemas/workflow/api.json" with { type: "json" };
import { contractVersion } from "./generated/methods.ts";
import * as validators from "./generated/validators.ts";
import type { Schema } from "./keywords.ts";
import { localize, type NamedType, reachableTypes, resolveRef, subschemas, typeAt } from "./schema-graph.ts";
import { type SchemaValidator, validator } from "./validator.ts";

export type { Schema } from "./keywords.ts";

type Section = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document: the members that merging needs. https://spec.openapis.org/oas/v3.1.1 */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Section;
  readonly servers: readonly unknown[];
  readonly security: readonly unknown[];
  readonly paths: Readonly<Record<string, Section>>;
  readonly components: Readonly<Record<string, Section>>;
  /** The problems that its operations answer with, by kind. */
  readonly "x-problems"?: Section;
}

/** A part of the API in one file, without the schemas that it refers to. */
export interface ApiSource {
  readonly paths: Readonly<Record<string, Section>>;
  readonly components: Readonly<Record<string, Section>>;
  /** The problems that its operations answer with, by kind. */
  readonly "x-problems"?: Section;
  /** Relative to the schemas folder. */
  readonly path: string;
}

/** The parts of the API, as they are written. */
export const apiSources: Readonly<
  Record<
    "registry" | "mcp" | "task" | "input" | "usage" | "workflow" | "token" | "audit" | "bulk" | "schedule" | "hook",
    ApiSource
  >
> = {
  registry: { ...registry, path: "registry/api.json" },
  mcp: { ...mcp, path: "mcp/api.json" },
  task: { ...task, path: "task/api.json" },
  input: { ...input, path: "input/api.json" },
  usage: { ...usage, path: "usage/api.json" },
  workflow: { ...workflow, path: "workflow/api.json" },
  token: { ...token, path: "token/api.json" },
  audit: { ...audit, path: "audit/api.json" },
  bulk: { ...bulk, path: "bulk/api.json" },
  schedule: { ...schedule, path: "schedule/api.json" },
  hook: { ...hook, path: "hook/api.json" },
};

/** What all parts have in common: components, and no path. */
export const apiFrame: ApiSource & OpenApiDocument = { ...frame, path: "api.json" };

type ApiPart = keyof typeof apiSources | "frame";

const documents = new Map<ApiPart, OpenApiDocument>();

/**
 * Returns a part of the API as a document of its own, with the shared components and all types that it refers to. A process puts each together
 * once: callers share it.
 */
export function openApi(part: ApiPart): OpenApiDocument {
  const document = documents.get(part) ?? putTogether(part);
  documents.set(part, document);
  return document;
}

function putTogether(part: ApiPart): OpenApiDocument {
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
  const problems = { ...apiFrame["x-problems"], ...source["x-problems"] } as ProblemRows;
  return {
    ...shared,
    info: { ...info, version: contractVersion },
    paths: withRefusals(localize(source.paths, source.path, types) as OpenApiDocument["paths"], problems),
    "x-problems": problems,
    components: { ...components, schemas: Object.fromEntries(named) },
  };
}

type ProblemRows = Readonly<Record<string, { readonly status: number }>>;

/** What any operation can answer, and any with a body. */
const refusals = { all: [400, 401, 403, 404, 429, 500, 503], withBody: [413, 415, 422] };

/** Returns the paths with the problems that each operation can answer, by status. */
export function withRefusals(paths: OpenApiDocument["paths"], problems: ProblemRows): OpenApiDocument["paths"] {
  const answered = (operation: Section): Section => {
    const own = (operation["x-problems"] ?? []) as readonly string[];
    const body = "requestBody" in operation ? refusals.withBody : [];
    const statuses = [...refusals.all, ...body, ...own.flatMap((kind) => problems[kind]?.status ?? [])];
    const refused = statuses.map((status) => [status, { $ref: "#/components/responses/Problem" }] as const);
    return { ...operation, responses: { ...(operation["responses"] as Section), ...Object.fromEntries(refused) } };
  };
  const served = ([name, member]: [string, unknown]) =>
    [name, name === "parameters" ? member : answered(member as Section)] as const;
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [path, Object.fromEntries(Object.entries(methods).map(served))]),
  );
}

const nameIn = (ref = ""): string => ref.slice(ref.lastIndexOf("/") + 1);

/** Returns the schema that a schema of a document refers to, or the schema itself. */
export function schemaAt(document: OpenApiDocument, schema: Schema): Schema {
  const named = document.components["schemas"]?.[nameIn(schema.$ref)] as Schema | undefined;
  return named === undefined ? schema : schemaAt(document, named);
}

const ofContract: Readonly<Record<string, SchemaValidator<unknown> | undefined>> = validators;

/** Returns the validator of a schema of a document: the contract's, for a type of the contract. */
export function validatorOf(document: OpenApiDocument, schema: Schema): SchemaValidator<unknown> {
  const known = ofContract[`is${nameIn(schema.$ref)}`];
  if (known !== undefined) return known;
  const file = schemaAt(document, schema);
  const refs = [...subschemas(file)].flatMap(([, { $ref }]) => $ref ?? []);
  return validator({
    file,
    refs: () => Object.fromEntries(refs.map(($ref) => [$ref, validatorOf(document, { $ref })])),
  });
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
