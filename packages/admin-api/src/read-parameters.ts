import { crc32 } from "node:zlib";
import { type ParamProblem, problemsOf } from "@crosszone/contracts";
import { type ApiParameter, type Schema, schemaAt, validatorOf } from "@crosszone/contracts/openapi";
import { type OpenApiDocument } from "./api-part.ts";
import { ApiProblem } from "./api-problem.ts";

/** What identifies the last row of a page. The list goes on after it. */
export type SortKey = readonly (number | string)[];

interface Cursors {
  /** A cursor is only good for the list that made it. */
  readonly operationId: string;
  readonly types: readonly string[];
}

/** Returns the value of a parameter's text, or reports through `wrong` what it must be. */
type Read = (text: string, wrong: (message: string) => void) => unknown;

/** Returns what reads the parameters of an operation that are in one place. */
export function createReader(
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
export function createQueryReader(
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
