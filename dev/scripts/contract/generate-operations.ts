import { apiSources } from "../../../packages/contracts/src/openapi.ts";
import { type Contract, resolveRef, type Schema, typeAt } from "../../../packages/contracts/src/testing/contract.ts";
import { checkOperations } from "./check-operations.ts";
import { type PlacedOperation, type PlacedParameter, placedOperations, sources } from "./placed-operations.ts";

/** Returns what writes the members of an operation as TypeScript types. */
function createTypings({ types }: Contract) {
  const typeOf = (schema: Schema, path: string): string => {
    if (schema.$ref !== undefined) return `Types.${typeAt(types, resolveRef(schema.$ref, path)).title}`;
    if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    if (schema.type === "array") return `(${typeOf(schema.items ?? {}, path)})[]`;
    if (schema.type === "integer") return "number";
    if (schema.properties === undefined) return schema.type === "object" ? "object" : String(schema.type ?? "unknown");
    const members = Object.entries(schema.properties).map(([name, member]) => {
      return `${name}${schema.required?.includes(name) ? "" : "?"}: ${typeOf(member, path)};`;
    });
    return `{ ${members.join(" ")} }`;
  };

  const membersIn = ({ parameters }: PlacedOperation, where: PlacedParameter["in"]): string => {
    const members = parameters.filter((one) => one.in === where);
    if (members.length === 0) return "undefined";
    const typed = members.map(({ name, required, schema, file }) => {
      const type = where === "path" ? "string" : typeOf(schema, file);
      return `${JSON.stringify(where === "header" ? name.toLowerCase() : name)}${required ? `: ${type}` : `?: ${type} | undefined`};`;
    });
    return `{ ${typed.join(" ")} }`;
  };

  /** What a handler gets of the query: with defaults, times as Unix milliseconds, and the sort key of a cursor. */
  const queryRead = ({ parameters, operation }: PlacedOperation): string => {
    const members = parameters.filter((one) => one.in === "query");
    const typed = members.map(({ name, required, schema, file }) => {
      const plain = typeOf(schema, file);
      const key = (operation["x-cursor"] ?? []).map((type) => (type === "integer" ? "number" : type));
      const type = name === "cursor" ? `readonly [${key.join(", ")}]` : plain === "Types.Timestamp" ? "number" : plain;
      return `readonly ${name}: ${type}${required || schema.default !== undefined ? "" : " | undefined"};`;
    });
    return members.length === 0 ? "object" : `{ ${typed.join(" ")} }`;
  };

  const bodyOf = ({ operation: { requestBody }, source }: PlacedOperation, isServed: boolean): string => {
    const [schema] = Object.values(requestBody?.content ?? {}).map((one) => one.schema);
    if (schema === undefined) return "undefined";
    if (isServed && (requestBody?.["x-late"] || schema.$ref === undefined)) return "unknown";
    return `${typeOf(schema, source.path)}${requestBody?.required ? "" : " | undefined"}`;
  };

  const resultOf = ({ operation, source }: PlacedOperation): string => {
    const [[media, body] = []] = Object.values(operation.responses).flatMap(({ content = {} }) =>
      Object.entries(content),
    );
    if (media === undefined || body === undefined) return "undefined";
    return media === "application/x-ndjson" ? "string" : typeOf(body.schema, source.path);
  };

  return { membersIn, queryRead, bodyOf, resultOf };
}

/**
 * The operations of the API: as types for a client and for the handler that serves each, as the table that a client needs at run time, and the
 * problems that the API answers with.
 */
export function generateOperations(contract: Contract): string {
  const all = placedOperations();
  const problems = Object.assign({}, ...sources.map((one) => one["x-problems"]));
  checkOperations(sources, all, contract.types);
  const { membersIn, queryRead, bodyOf, resultOf } = createTypings(contract);
  const rows = all.map(({ method, path, parameters, operation }) => {
    const query = parameters.flatMap((one) => (one.in === "query" ? one.name : []));
    const [type] = Object.keys(operation.requestBody?.content ?? {});
    const [media] = Object.values(operation.responses).flatMap(({ content = {} }) => Object.keys(content));
    return [operation.operationId, { method, path, query, type, answer: media }] as const;
  });
  return `import type * as Types from "./types.ts";

/** The operations of the API, as a client asks for them, by \`operationId\`: what each takes, and what it answers. */
export interface Operations {
${all
  .map(
    (one) =>
      `${one.operation.operationId}: { params: ${membersIn(one, "path")}; query: ${membersIn(one, "query")}; headers: ${membersIn(one, "header")}; body: ${bodyOf(one, false)}; result: ${resultOf(one)}; };`,
  )
  .join("\n")}
}

export type OperationId = keyof Operations;

/** The operations of each part of the API. */
export interface ApiParts {
${Object.entries(apiSources)
  .map(([part, source]) => {
    const ids = all.flatMap((one) => (one.source === source ? JSON.stringify(one.operation.operationId) : []));
    return `${part}: ${ids.join(" | ")};`;
  })
  .join("\n")}
}

/** What the handler of an operation gets: the query with its defaults, times as Unix milliseconds and the sort key of its cursor; and the body. */
export interface ServedOperations {
${all.map((one) => `${one.operation.operationId}: { query: ${queryRead(one)}; body: ${bodyOf(one, true)}; };`).join("\n")}
}

/** How an operation is asked for. */
export interface OperationRow {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below \`/api/v1\`, with \`{name}\` for each member of \`params\`. */
  readonly path: string;
  /** The names of the query's parameters. */
  readonly query: readonly string[];
  /** The media type of the body. */
  readonly type?: string;
  /** The media type of the answer: JSON, lines, or events. Absent when there is no body. */
  readonly answer?: string;
}

export const operations: { readonly [Id in OperationId]: OperationRow } = ${JSON.stringify(Object.fromEntries(rows))};

/** Why the API refuses a request. */
export type ProblemKind = ${Object.keys(problems as object)
    .map((kind) => JSON.stringify(kind))
    .join(" | ")};

/** A problem of RFC 9457: its status, its title, and what to do unless the refusal says it better. */
export interface ProblemRow {
  readonly status: number;
  readonly title: string;
  readonly advice: string;
}

export const problemTable: Readonly<Record<ProblemKind, ProblemRow>> = ${JSON.stringify(problems)};
`;
}
