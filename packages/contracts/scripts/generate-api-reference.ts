import { apiFrame, apiSources, type ApiSource } from "../src/api-sources.ts";
import { type Contract, type NamedType, resolveRef, type Schema, typeAt } from "./contract.ts";
import { byTitle, limitsText, link, notice, table, typeSection } from "./reference-sections.ts";
import { reachableTypes } from "../src/schema-graph.ts";

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Body {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  summary: string;
  description?: string;
  security: [{ adminToken: [scope: string] }];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

type Path = Partial<Record<string, Operation>> & { parameters?: Parameter[] };

const methods = ["get", "post", "patch", "put", "delete"];
const titles = {
  registry: "Agents",
  mcp: "MCP servers",
  task: "Tasks",
  input: "Input requests",
  usage: "Usage",
  workflow: "Workflows and runs",
  token: "API tokens",
  audit: "Audit log",
};

/** docs/reference/api.md: each operation of the execution zone's HTTP API, by part, and the types that they use. */
export function generateApiReference(contract: Contract): string {
  const { types } = contract;
  const parts = Object.entries(titles).map(([name, title]) => ({
    title,
    source: apiSources[name as keyof typeof titles],
  }));
  const direct = parts.flatMap(({ source }) => [...typesOf(source.paths, source, types)]);
  const problem = typeAt(types, "registry/problem.schema.json");
  return `# API reference

${notice}

The HTTP API of the execution zone: agents, MCP servers, tasks, input requests, usage of language models, workflows, runs,
API tokens and the audit log. It is served below
\`/api/v1\`, and \`/api/v1/openapi.json\` has this page as an OpenAPI 3.1 document, without a token.

Every other request needs \`Authorization: Bearer <token>\` with a token that has the operation's scope. The
response leaves out content unless the token has \`content:read\`, too. Without any token the API is off: every response is 404. Errors are a ${link("Problem")} of the media type
\`application/problem+json\` (RFC 9457).

${parts.map(({ title, source }) => `## ${title}\n\n${operationsOf(source, contract).join("\n\n")}`).join("\n\n")}

## Types

${byTitle(reachableTypes([...direct, problem], types).values())
  .map((type) => typeSection(type, types))
  .join("\n\n")}
`;
}

function operationsOf(source: ApiSource, contract: Contract): string[] {
  return Object.entries(source.paths as Record<string, Path>).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method];
      const shared = operations.parameters ?? [];
      if (operation === undefined) return [];
      const parameters = [...shared, ...(operation.parameters ?? [])];
      return [`### ${method.toUpperCase()} ${path}`, operationText({ ...operation, parameters }, source, contract)];
    }),
  );
}

function operationText(
  operation: Operation & { parameters: Parameter[] },
  source: ApiSource,
  { types }: Contract,
): string {
  const { summary, description, security, requestBody, responses } = operation;
  const named = { ...apiFrame.components["parameters"], ...source.components["parameters"] } as Record<
    string,
    Parameter
  >;
  const parameters = operation.parameters.map((one) => {
    const { name, in: where, required, description: says = "", schema } = named[lastOf(one.$ref)] ?? one;
    const initial = (schema as { default?: unknown }).default;
    const otherwise = initial === undefined ? "" : `Default: ${JSON.stringify(initial)}.`;
    const type =
      schema.$ref || schema.type === undefined
        ? bodyType({ schema }, source, types)
        : [schema.type].flat().join(" or ");
    return [
      `\`${name}\``,
      where,
      required ? "yes" : "no",
      type,
      [says, limitsText(schema), otherwise].filter(Boolean).join(" "),
    ];
  });
  const outcomes = Object.entries(responses).filter(([, { $ref }]) => $ref === undefined);
  const refusals = Object.entries(responses).flatMap(([status, { $ref }]) =>
    $ref === undefined ? [] : [`\`${status}\``],
  );
  const typesIn = ({ content = {} }: Body): string => {
    const bodies = Object.entries(content);
    const plain = bodies.length === 1 && "application/json" in content;
    return bodies
      .map(([media, body]) => `${plain ? "" : `\`${media}\` `}${bodyType(body, source, types)}`)
      .join(", or ");
  };
  return [
    `${summary}.${description === undefined ? "" : ` ${description}`}`,
    parameters.length > 0 && table(["Parameter", "In", "Required", "Type", "Description"], parameters),
    `**Scope** \`${security[0].adminToken[0]}\``,
    requestBody && `**Body** ${typesIn(requestBody)}`,
    table(
      ["Status", "Meaning", "Body"],
      outcomes.map(([status, body]) => [`\`${status}\``, body.description ?? "", typesIn(body)]),
    ),
    refusals.length > 0 && `**Errors** ${refusals.join(", ")}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const lastOf = (ref = ""): string => ref.split("/").at(-1) ?? "";

/** The type of a body: a link when it has a name. */
function bodyType({ schema }: { schema: Schema }, { path }: ApiSource, types: NamedType[]): string {
  if (schema.$ref !== undefined) return link(typeAt(types, resolveRef(schema.$ref, path)).title);
  return [schema.oneOf ? "one of several" : (schema.type ?? "any")].flat().join(" or ");
}

/** The named types that a part of the document refers to. */
function* typesOf(value: unknown, source: ApiSource, types: NamedType[]): Generator<NamedType> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key !== "$ref") yield* typesOf(member, source, types);
    else if (!String(member).startsWith("#/")) yield typeAt(types, resolveRef(String(member), source.path));
  }
}
