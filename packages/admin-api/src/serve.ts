import { crc32 } from "node:zlib";
import {
  type ApiParts,
  type OperationId,
  type Operations,
  type ParamProblem,
  problemsOf,
  type ServedOperations,
} from "@crosszone/contracts";
import {
  type DocumentedOperation,
  type ApiParameter,
  openApi,
  operationsAt,
  type Schema,
  schemaAt,
  validatorOf,
} from "@crosszone/contracts/openapi";
import {
  type AnswerTo,
  type ApiAnswer,
  type ApiExchange,
  apiMethods,
  type ApiPart,
  type OpenApiDocument,
} from "./api-part.ts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { defaultLimits } from "@crosszone/jsonrpc";
import { ownMember } from "@crosszone/service-kit/json";
import { ApiProblem } from "./api-problem.ts";

/** Who asks, as an author of the audit log. */
type Asker = Pick<ApiExchange, "actor" | "correlationId" | "from">;

/** One authorized request for an operation, read and checked as the document says. */
interface Asked<Params, Query, Headers, Body> extends Pick<ApiExchange, "baseUrl" | "holder" | "signal" | "content"> {
  /** The names in the path. */
  readonly params: Params;
  /** With defaults; times as Unix milliseconds, and of a cursor the sort key. */
  readonly query: Query;
  readonly headers: Headers;
  /** Valid, unless the document says that the handler checks it (`x-late`). */
  readonly body: Body;
  readonly by: Asker;
}

/** What the handler of an operation gets. */
export type AskedFor<Id extends OperationId> = Asked<
  Operations[Id]["params"],
  ServedOperations[Id]["query"],
  Operations[Id]["headers"],
  ServedOperations[Id]["body"]
>;

/** An answer that is more than a body with the usual status. */
export class ApiReply {
  readonly answer: ApiAnswer;

  constructor(answer: ApiAnswer) {
    this.answer = answer;
  }
}

/** What a handler returns: the body, or a `Reply`. A page names the sort key of its last row, unless it is the last. */
type Answered<Id extends OperationId> =
  | ApiReply
  | (ServedOperations[Id]["query"] extends { readonly cursor: infer Key }
      ? Unchanged<Omit<Operations[Id]["result"], "next_cursor">> & { readonly next_cursor?: Key | undefined }
      : Operations[Id]["result"] extends undefined
        ? void
        : Unchanged<Operations[Id]["result"]>);

/** A value that is only read. */
type Unchanged<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Unchanged<Value[Name]> }
    : Value;

export type ApiHandler<Id extends OperationId> = (asked: AskedFor<Id>) => Promise<Answered<Id>>;

/** A handler for each operation of a part. */
export type ApiHandlers<Part extends keyof ApiParts> = { readonly [Id in ApiParts[Part]]: ApiHandler<Id> };

/** Returns a part of the API: what its document says, answered by the handlers. */
export function serveApi<Part extends keyof ApiParts>(part: Part, handlers: ApiHandlers<Part>): ApiPart {
  return serveDocument(openApi(part), handlers as unknown as AnyHandlers);
}

/** Returns what reads the query of an operation's URL, for an API that serves it in its own way. Throws an `ApiProblem`. */
export function queryReader<Part extends keyof ApiParts, Id extends ApiParts[Part]>(
  part: Part,
  id: Id,
): (url: string | undefined) => ServedOperations[Id]["query"] {
  const document = openApi(part);
  const all = Object.keys(document.paths).flatMap((path) => Object.values(operationsAt(document, path).methods));
  const operation = all.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`${part} has no operation ${id}`);
  return readersOf(document, operation, []).readQuery;
}

type AnyHandlers = Readonly<
  Record<string, (asked: Asked<Readonly<Record<string, string>>, object, object, unknown>) => unknown>
>;

/** As `serveApi`, for a document that the contract does not have. Throws if an operation has no handler. */
export function serveDocument(document: OpenApiDocument, handlers: AnyHandlers): ApiPart {
  const paths = Object.keys(document.paths).map((template) => {
    const { shared, methods } = operationsAt(document, template);
    const served = apiMethods.flatMap((method) => {
      const operation = methods[method];
      if (operation === undefined) return [];
      const handle = handlers[operation.operationId];
      if (handle === undefined) throw new Error(`${operation.operationId} is in the document but not served`);
      return [[method, answering(document, operation, { shared, handle })] as const];
    });
    return [template, Object.fromEntries(served)] as const;
  });
  return { document, paths: Object.fromEntries(paths) };
}

/** Returns what answers one operation: reads what was sent, calls the handler, and names the next page. */
function answering(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  { shared, handle }: { readonly shared: readonly ApiParameter[]; readonly handle: AnyHandlers[string] },
): AnswerTo {
  const { operationId, responses, "x-grant": grant } = operation;
  const { readQuery, readHeaders } = readersOf(document, operation, shared);
  const readBody = createBodyReader(document, operation);
  const [status = "200"] = Object.keys(responses);
  return async ({ request, params, baseUrl, holder, signal, content, mayUse, ...asked }) => {
    const query = readQuery(request.url);
    const headers = readHeaders(request);
    const body = readBody(asked.body);
    if (grant && mayUse?.(grant.of, String(ownMember(body, grant.member))) === false)
      throw new ApiProblem("not_granted");
    const { actor, correlationId, from } = asked;
    const by = { actor, correlationId, from };
    const answered = await handle({ params, query, headers, body, baseUrl, holder, signal, content, by });
    if (answered instanceof ApiReply) return answered.answer;
    if (answered === undefined) return { status: 204 };
    const { next_cursor: key, ...page } = answered as { readonly next_cursor?: SortKey };
    const next_cursor = key && cursorOf(operationId, key);
    return { status: Number(status) as 200, body: key === undefined ? answered : { ...page, next_cursor } };
  };
}

/** Returns what reads the query and the headers of an operation. `shared`: the parameters of its path. */
function readersOf(document: OpenApiDocument, operation: DocumentedOperation, shared: readonly ApiParameter[]) {
  const { operationId, parameters = [], "x-cursor": types = [] } = operation;
  const named = (document.components["parameters"] ?? {}) as Readonly<Record<string, ApiParameter>>;
  const all = [...shared, ...parameters].map((one) => named[one.$ref?.split("/").at(-1) ?? ""] ?? one);
  const inPlace = (place: string) => all.filter((one) => one.in === place);
  return {
    readQuery: createQueryReader(document, inPlace("query"), { operationId, types }),
    readHeaders: createHeaderReader(document, inPlace("header"), { operationId, types }),
  };
}

type ReadRequest<Value> = (request: ApiExchange["request"]) => Value;

function createHeaderReader(...[document, parameters, cursors]: Parameters<typeof createReader>): ReadRequest<object> {
  const members = parameters.map((one) => ({ ...one, name: one.name.toLowerCase() }));
  const read = createReader(document, members, cursors);
  return ({ headers }) => {
    const wrong = (name: string, message: string): never => {
      throw new ApiProblem("malformed_request", `The header ${name} ${message}.`);
    };
    return read((name) => headers[name]?.toString(), wrong);
  };
}

const { maxDepth } = defaultLimits;

/** Reads a JSON body in UTF-8. Throws an `ApiProblem` for any other. */
function parseBody(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes, { maxDepth });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, message, problems } = error;
    const refused = kind === "number" ? "invalid_value" : "malformed_request";
    throw new ApiProblem(refused, `The body ${message}.`, { problems });
  }
}

function createBodyReader(document: OpenApiDocument, { requestBody }: DocumentedOperation): (bytes: Buffer) => unknown {
  if (requestBody === undefined) return () => undefined;
  const { required = false, content = {}, "x-late": isLate = false } = requestBody;
  const [{ schema } = { schema: {} }] = Object.values(content);
  const isValid = isLate ? undefined : validatorOf(document, schema);
  return (bytes) => {
    if (!required && bytes.length === 0) return undefined;
    const body = parseBody(bytes);
    const problems = isValid === undefined ? [] : problemsOf(isValid, body);
    if (problems.length > 0) throw invalidBody(problems);
    return body;
  };
}

/** A body that is not valid. */
export const invalidBody = (problems: ApiProblem["problems"]): ApiProblem =>
  new ApiProblem("invalid_body", undefined, { problems });

/** What identifies the last row of a page. The list goes on after it. */
type SortKey = readonly (number | string)[];

interface Cursors {
  /** A cursor is only good for the list that made it. */
  readonly operationId: string;
  readonly types: readonly string[];
}

/** Returns the value of a parameter's text, or reports through `wrong` what it must be. */
type Read = (text: string, wrong: (message: string) => void) => unknown;

/** Returns what reads the parameters of an operation that are in one place. */
function createReader(
  document: OpenApiDocument,
  parameters: readonly ApiParameter[],
  cursors: Cursors,
): (given: (name: string) => string | undefined, wrong: (name: string, message: string) => void) => object {
  const members = parameters.map(({ name, required = false, schema }) => {
    const read = name === "cursor" ? readCursor(cursors) : readerOf(document, schema);
    return { name, required, initial: schema.default, read };
  });
  return (given, wrong) =>
    Object.fromEntries(
      members.map(({ name, required, initial, read }) => {
        const text = given(name);
        if (text === undefined && required) wrong(name, "is missing");
        return [name, text === undefined ? initial : read(text, (message) => wrong(name, message))];
      }),
    );
}

/** A hostile query could cause thousands. */
const mostProblems = 20;

/** Returns what reads the query of a URL. It throws an `ApiProblem` that names all invalid and unknown parameters. */
function createQueryReader(
  document: OpenApiDocument,
  parameters: readonly ApiParameter[],
  cursors: Cursors,
): (url: string | undefined) => object {
  const read = createReader(document, parameters, cursors);
  const names = new Set(parameters.map(({ name }) => name));
  const known = names.size === 0 ? "this path has no query parameters" : `use ${[...names].join(", ")}`;
  return (url = "") => {
    const search = URL.parse(url, "http://api")?.searchParams ?? new URLSearchParams();
    const problems: ParamProblem[] = [];
    const wrong = (name: string, message: string): void => void problems.push({ pointer: `/${name}`, message });
    for (const [name, { length }] of Map.groupBy(search, ([one]) => one)) {
      if (problems.length >= mostProblems) break;
      if (!names.has(name)) wrong(name, `is not known: ${known}`);
      else if (length > 1) wrong(name, "is given more than once");
    }
    const query = read((name) => search.get(name) ?? undefined, wrong);
    if (problems.length > 0) throw new ApiProblem("malformed_request", "The query is not valid.", { problems });
    return query;
  };
}

function readerOf(document: OpenApiDocument, schema: Schema): Read {
  const { type, title, minimum: least = 0, maximum: most = 999_999_999 } = schemaAt(document, schema);
  if (type === "integer")
    return (text, wrong) => {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : -1;
      if (number < least || number > most) wrong(`must be a whole number from ${least} to ${most}`);
      return number;
    };
  if (type === "boolean")
    return (text, wrong) => {
      if (text !== "true" && text !== "false") wrong("must be true or false");
      return text === "true";
    };
  const isValid = validatorOf(document, schema);
  return (text, wrong) => {
    const [problem] = problemsOf(isValid, text);
    if (problem !== undefined) wrong(problem.message);
    // No database can look for U+0000: nothing is found.
    return title === "Timestamp" && problem === undefined ? momentOf(text) : text.replaceAll("\0", "\u{fffd}");
  };
}

/** Returns Unix milliseconds. A time without offset is UTC; `Date` would read it in this machine's zone. `Date` also rejects leap seconds. */
export function momentOf(timestamp: string): number {
  const withOffset = /(Z|[+-]\d\d:\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`;
  return Date.parse(withOffset.replace(/:60(?=[.Z+-])/, ":59"));
}

/** Returns a cursor: the sort key of a page's last row, with a checksum of it and of the list's name. Opaque to clients. */
export function cursorOf(operationId: string, key: SortKey): string {
  const text = JSON.stringify(key);
  return Buffer.from(checksumOf(operationId, text) + text).toString("base64url");
}

function readCursor({ operationId, types }: Cursors): Read {
  return (given, wrong) => {
    const text = Buffer.from(given, "base64url").toString();
    const [checksum, json] = [text.slice(0, checksumLength), text.slice(checksumLength)];
    if (checksumOf(operationId, json) !== checksum)
      return wrong("must be the `next_cursor` of this list's page before");
    const key = JSON.parse(json) as SortKey;
    const isOurs =
      key.length === types.length &&
      key.every((one, at) => types[at]?.startsWith(typeof one === "number" ? "int" : "str"));
    return isOurs ? key : wrong("must be the `next_cursor` of this list's page before");
  };
}

const checksumLength = 8;

const checksumOf = (operationId: string, json: string): string =>
  crc32(`${operationId}\n${json}`).toString(16).padStart(checksumLength, "0");
