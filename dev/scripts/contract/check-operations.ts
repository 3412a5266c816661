import type { ApiSource, DocumentedOperation } from "../../../packages/contracts/src/openapi.ts";
import { type NamedType, resolveRef, typeAt } from "../../../packages/contracts/src/testing/contract.ts";
import type { PlacedOperation } from "./placed-operations.ts";

/** What begins a template or an expression. The documents hold data; a sentence that depends on a request is written by its handler. */
const code = /[{}$%]|=>|\?\.|&&|\|\|/;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

/** The shape of each member that the documents add to OpenAPI. */
const additions: Readonly<Record<string, (value: unknown) => boolean>> = {
  "x-max-bytes": isCount,
  patternErrorMessage: isText,
  "x-late": (value) => value === true,
  "x-cursor": (value) => Array.isArray(value) && value.every((type) => type === "integer" || type === "string"),
  "x-audit": (value) => hasMembers(value, { action: isText, target: isText }),
  "x-grant": (value) => hasMembers(value, { member: isText, of: (of) => of === "agents" || of === "events" }),
};

const isRow = (value: unknown): boolean => hasMembers(value, { status: isCount, title: isText, advice: isText });

function hasMembers(value: unknown, members: Readonly<Record<string, (value: unknown) => boolean>>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const given = Object.entries(value);
  return given.length === Object.keys(members).length && given.every(([name, one]) => members[name]?.(one) === true);
}

/** Throws unless the documents of the API hold only data that the server understands, one line for each problem. */
export function checkOperations(
  sources: readonly ApiSource[],
  all: readonly PlacedOperation[],
  types: NamedType[],
): void {
  const wrong = sources.flatMap((source) => [
    ...problemsOfTable(source["x-problems"] ?? {}, source.path),
    ...problemsOfAdditions({ ...source, "x-problems": undefined }, source.path),
  ]);
  const kinds = new Set(sources.flatMap((source) => Object.keys(source["x-problems"] ?? {})));
  const ids = all.map(({ operation }) => operation.operationId);
  for (const [at, { operation, source, parameters }] of all.entries()) {
    const place = `${source.path}: ${operation.operationId}`;
    if (ids.indexOf(operation.operationId) < at) wrong.push(`${place} is the id of two operations`);
    for (const kind of operation["x-problems"] ?? [])
      if (!kinds.has(kind)) wrong.push(`${place}: no x-problems has a row ${kind}`);
    const hasCursor = parameters.some(({ name }) => name === "cursor");
    if (hasCursor !== (operation["x-cursor"] !== undefined) || hasCursor !== isPaged(operation, source.path, types))
      wrong.push(`${place}: the parameter cursor, x-cursor and next_cursor of the answer belong together`);
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

function* problemsOfTable(table: object, path: string): Generator<string> {
  for (const [kind, row] of Object.entries(table)) {
    if (!isRow(row)) yield `${path}: x-problems.${kind} needs status, title and advice, and nothing else`;
    else if (code.test(JSON.stringify(Object.values(row as object)).slice(1, -1)))
      yield `${path}: x-problems.${kind} is a template or an expression; a handler that knows more writes the sentence`;
  }
}

function* problemsOfAdditions(value: unknown, place: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isFitting = additions[name];
    if (isFitting !== undefined && !isFitting(member)) yield `${place}: ${name} is ${JSON.stringify(member)}`;
    else if (isFitting === undefined && name.startsWith("x-") && name !== "x-problems" && member !== undefined)
      yield `${place}: nothing reads ${name}`;
    else yield* problemsOfAdditions(member, `${place} ${name}`);
  }
}

function isPaged({ responses }: DocumentedOperation, path: string, types: NamedType[]): boolean {
  const refs = Object.values(responses).flatMap(({ content = {} }) =>
    Object.values(content).flatMap(({ schema }) => schema.$ref ?? []),
  );
  return refs.some((ref) => "next_cursor" in (typeAt(types, resolveRef(ref, path)).schema.properties ?? {}));
}
