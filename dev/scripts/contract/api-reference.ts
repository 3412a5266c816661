import { apiFrame, type ApiSource } from "../../../packages/contracts/src/openapi.ts";
import {
  type Contract,
  type NamedType,
  resolveRef,
  type Schema,
  typeAt,
} from "../../../packages/contracts/src/testing/contract.ts";
import { limitsText, link, notice, table } from "./reference-sections.ts";

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
/** docs/reference/api.md: the operations of the execution zone's HTTP API, each with the page that shows it. */
export function apiOverview(operations: readonly (ShownOperation & { readonly file: string })[]): string {
  const rows = operations.map(({ name, summary, scope, file }) => {
    const anchor = name.toLowerCase().replaceAll(/[^a-z0-9_ -]/g, "");
    return [`[${name}](${file}#${anchor.replaceAll(" ", "-")})`, summary, scope];
  });
  return `# API reference

${notice}

The HTTP API of the execution zone is served below \`/api/v1\`. \`/api/v1/openapi.json\` describes it as an OpenAPI 3.1 document, without a token.

Every other request needs \`Authorization: Bearer <token>\` with a token that has the operation's scope. The
response leaves out content unless the token has \`content:read\`, too. Without any token the API is off: every response is 404. Errors are a ${link("Problem")} of the media type
\`application/problem+json\` (RFC 9457).

${table(["Operation", "What it does", "Scope"], rows)}
`;
}

interface ShownOperation extends Record<"name" | "summary" | "scope" | "text", string> {
  /** The part of the API that has it. */
  readonly ref: string;
}

/** The operations of a part of the API, each with its section. */
export function operationsOf(source: ApiSource, contract: Contract): ShownOperation[] {
  return Object.entries(source.paths as Record<string, Path>).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method];
      if (operation === undefined) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const parameters = [...(operations.parameters ?? []), ...(operation.parameters ?? [])];
      const text = `## ${name}\n\n${operationText({ ...operation, parameters }, source, contract)}`;
      const { summary, security } = operation;
      return [{ ref: source.path, name, summary, scope: `\`${security[0].adminToken[0]}\``, text }];
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
