import type { ProblemRow } from "../../../packages/contracts/src/generated/operations.ts";
import { type ApiBody, apiFrame } from "../../../packages/contracts/src/openapi.ts";
import {
  type Contract,
  type NamedType,
  resolveRef,
  type Schema,
  typeAt,
} from "../../../packages/contracts/src/testing/contract.ts";
import { type PlacedOperation, placedOperations } from "./placed-operations.ts";
import { limitsText, link, notice, table } from "./reference-sections.ts";

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

## Problems of any operation

The \`type\` of a problem is \`https://crosszone.dev/problems/\` and its kind, with hyphens. The page of an operation lists the problems of its own.

${table(["Status", "Problem", "Meaning"], problemRows(apiFrame["x-problems"] ?? {}))}
`;
}

interface ShownOperation extends Record<"name" | "summary" | "scope" | "text", string> {
  /** The part of the API that has it. */
  readonly ref: string;
}

/** The operations of the API, each with its section. */
export function shownOperations({ types }: Contract): ShownOperation[] {
  return placedOperations().flatMap((one) => {
    const { operation, source, method, path } = one;
    const [scope] = operation.security?.[0]?.adminToken ?? [];
    if (scope === undefined) return [];
    const name = `${method} ${path}`;
    const text = `## ${name}\n\n${operationText(one, scope, types)}`;
    return [{ ref: source.path, name, summary: operation.summary ?? "", scope: `\`${scope}\``, text }];
  });
}

function operationText(
  { operation, source, parameters: all }: PlacedOperation,
  scope: string,
  types: NamedType[],
): string {
  const { summary, description, requestBody, responses } = operation;
  const parameters = all.map(({ name, in: where, required, description: says = "", schema, file }) => {
    const otherwise = schema.default === undefined ? "" : `Default: ${JSON.stringify(schema.default)}.`;
    const type =
      schema.$ref || schema.type === undefined ? bodyType({ schema }, file, types) : [schema.type].flat().join(" or ");
    return [
      `\`${name}\``,
      where,
      required ? "yes" : "no",
      type,
      [says, limitsText(schema), otherwise].filter(Boolean).join(" "),
    ];
  });
  const problems = problemRows({ ...apiFrame["x-problems"], ...source["x-problems"] }, operation["x-problems"] ?? []);
  const typesIn = ({ content = {} }: ApiBody): string => {
    const bodies = Object.entries(content);
    const plain = bodies.length === 1 && "application/json" in content;
    return bodies
      .map(([media, body]) => `${plain ? "" : `\`${media}\` `}${bodyType(body, source.path, types)}`)
      .join(", or ");
  };
  return [
    `${summary}.${description === undefined ? "" : ` ${description}`}`,
    parameters.length > 0 && table(["Parameter", "In", "Required", "Type", "Description"], parameters),
    `**Scope** \`${scope}\``,
    requestBody && `**Body** ${typesIn(requestBody)}`,
    answerText(
      Object.entries(responses).map(([status, body]) => [`\`${status}\``, body.description ?? "", typesIn(body)]),
    ),
    problems.length > 0 && table(["Status", "Problem", "Meaning"], problems),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The answers that are no problems: most operations have one. */
function answerText(rows: string[][]): string {
  const [[status = "", meaning = "", body = ""] = [], ...others] = rows;
  if (others.length > 0) return table(["Status", "Meaning", "Body"], rows);
  return `**Answer** ${[status, body].filter(Boolean).join(" ")}: ${meaning}`;
}

function problemRows(
  problems: Readonly<Record<string, unknown>>,
  kinds: readonly string[] = Object.keys(problems),
): string[][] {
  return kinds.map((kind) => {
    const { status, title, advice } = problems[kind] as ProblemRow;
    return [`\`${status}\``, `\`${kind}\``, `${title}. ${advice}`];
  });
}

/** The type of a body: a link when it has a name. */
function bodyType({ schema }: { schema: Schema }, path: string, types: NamedType[]): string {
  if (schema.$ref !== undefined) return link(typeAt(types, resolveRef(schema.$ref, path)).title);
  return [schema.oneOf ? "one of several" : (schema.type ?? "any")].flat().join(" or ");
}
