import type { IncomingMessage } from "node:http";
import { isTimestamp, type ParamProblem, problemsOf, type Validator } from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { defaultLimits } from "@crosszone/jsonrpc";
import { arrivingBytes, ByteBudget, readRequestBody, Refused, senderOf } from "@crosszone/service-kit";
import { ApiProblem, correctThem, type ProblemKind, refuseProblem, SharedProblem } from "./api-problem.ts";

/** Parses a query parameter, or reports a problem through `wrong`. The text is undefined when the parameter is absent. */
export type QueryMember<Value> = (text: string | undefined, wrong: (message: string) => void) => Value;

export type Query<Members extends Readonly<Record<string, QueryMember<unknown>>>> = {
  readonly [Name in keyof Members]: ReturnType<Members[Name]>;
};

/** A hostile query could cause thousands. */
const mostProblems = 20;

/** Reads the query of a URL. Throws a `SharedProblem` that names all invalid and unknown parameters. */
export function readQuery<Members extends Readonly<Record<string, QueryMember<unknown>>>>(
  url: string | undefined,
  members: Members,
): Query<Members> {
  const search = URL.parse(url ?? "", "http://api")?.searchParams ?? new URLSearchParams();
  const given = Map.groupBy(search, ([name]) => name);
  const problems: ParamProblem[] = [];
  const wrongAt = (name: string) => (message: string) => void problems.push({ pointer: `/${name}`, message });
  const names = Object.keys(members);
  const known = names.length === 0 ? "this path has no query parameters" : `use ${names.join(", ")}`;
  for (const [name, { length }] of given) {
    if (problems.length >= mostProblems) break;
    if (!Object.hasOwn(members, name)) wrongAt(name)(`is not known: ${known}`);
    else if (length > 1) wrongAt(name)("is given more than once");
  }
  const values = Object.entries(members).map(([name, read]) => [
    name,
    read(search.get(name) ?? undefined, wrongAt(name)),
  ]);
  if (problems.length > 0) throw new SharedProblem("malformed_request", "The query is not valid.", { problems });
  return Object.fromEntries(values) as Query<Members>;
}

export const text: QueryMember<string | undefined> = (value) => value;

export const trueOrFalse: QueryMember<boolean | undefined> = (value, wrong) => {
  if (value !== undefined && value !== "true" && value !== "false") wrong("must be true or false");
  return value === undefined ? undefined : value === "true";
};

/** Text that passes a check of the contract; `rule` describes valid text. */
export function textThat<Value extends string>(
  check: (value: unknown) => value is Value,
  rule: string,
): QueryMember<Value | undefined> {
  return (value, wrong) => {
    if (value === undefined || check(value)) return value;
    wrong(rule);
    return undefined;
  };
}

/** A time, as Unix milliseconds. */
export const moment: QueryMember<number | undefined> = (value, wrong) => {
  const known = textThat(isTimestamp, "must be an RFC 3339 time, such as 2026-11-01T00:00:00Z")(value, wrong);
  return known === undefined ? undefined : momentOf(known);
};

/** Returns Unix milliseconds. A time without offset is UTC; `Date` would read it in this machine's zone. `Date` also rejects leap seconds. */
export function momentOf(timestamp: string): number {
  const withOffset = /(Z|[+-]\d\d:\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`;
  return Date.parse(withOffset.replace(/:60(?=[.Z+-])/, ":59"));
}

/** The beginning of an id. */
const beginning: QueryMember<string | undefined> = (value, wrong) => {
  if (value === undefined || /^[\w-]{4,64}$/.test(value)) return value;
  wrong("must be the first 4 to 64 characters of an id");
  return undefined;
};

/** Narrows a list to what was created in a time, by whom, to what has not ended, and to ids that begin with a text. */
export const narrowing = { since: moment, until: moment, person: text, open: trueOrFalse, id: beginning };

function wholeNumber({ least, most, usual }: Record<"least" | "most" | "usual", number>): QueryMember<number> {
  return (value, wrong) => {
    if (value === undefined) return usual;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : -1;
    if (number >= least && number <= most) return number;
    wrong(`must be a whole number from ${least} to ${most}`);
    return usual;
  };
}

export const page = {
  limit: wholeNumber({ least: 1, most: 200, usual: 50 }),
  offset: wholeNumber({ least: 0, most: 999_999_999, usual: 0 }),
};

/** Returns the header `Idempotency-Key`, if the request has it. Throws a `SharedProblem` when it is not valid. */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined || (typeof key === "string" && /^[\x20-\x7e]{1,255}$/.test(key))) return key;
  throw new SharedProblem("malformed_request", "Send an Idempotency-Key of 1 to 255 printable ASCII characters.");
}

interface BodyRules {
  /** Largest body, bytes. */
  readonly maxBytes: number;
  /** JSON by default. */
  readonly types?: readonly string[];
  /** The header that lists them in a 415 response; that of POST by default. */
  readonly acceptHeader?: "accept-post" | "accept-patch";
}

const { maxDepth } = defaultLimits;

/** What bodies hold until they have arrived. */
const arriving = new ByteBudget(arrivingBytes);

/** Reads a JSON body in UTF-8. Throws a `SharedProblem` for any other. */
export async function readJsonBody(
  request: IncomingMessage,
  { maxBytes, types = ["application/json"], acceptHeader = "accept-post" }: BodyRules,
): Promise<unknown> {
  const held = arriving.open(senderOf(request).address);
  const rules = { maxBytes, types, accept: { [acceptHeader]: types.join(", ") }, held, refuse: refuseProblem };
  const bytes = await readRequestBody(request, rules).finally(held.close);
  if (bytes === "gone") throw new SharedProblem("malformed_request", "The body ended before its length.");
  if (!Buffer.isBuffer(bytes)) throw new Refused(bytes);
  try {
    return parseExactJson(bytes, { maxDepth });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, message, problems } = error;
    throw new SharedProblem(kind === "number" ? "invalid_value" : "malformed_request", `The body ${message}.`, {
      problems,
    });
  }
}

/** Reads a JSON body that a validator accepts. Throws a `SharedProblem`, or the problem `invalid` with what is wrong. */
export async function readValidBody<Body>(
  request: IncomingMessage,
  isValid: Validator<Body>,
  { invalid, ...rules }: BodyRules & { readonly invalid: ProblemKind },
): Promise<Body> {
  const body = await readJsonBody(request, rules);
  if (isValid(body)) return body;
  throw new ApiProblem(invalid, correctThem, { problems: problemsOf(isValid, body) });
}
