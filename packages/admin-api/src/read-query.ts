import { isTimestamp, type ParamProblem } from "@crosszone/contracts";
import { SharedProblem } from "./api-problem.ts";

/** Parses a query parameter, or reports a problem through `wrong`. The text is undefined when the parameter is absent. */
export type QueryMember<Value> = (text: string | undefined, wrong: (message: string) => void) => Value;

export type Query<Members extends Readonly<Record<string, QueryMember<unknown>>>> = {
  readonly [Name in keyof Members]: ReturnType<Members[Name]>;
};

/** Reads the query of a URL. Throws a `SharedProblem` that names all invalid and unknown parameters. */
export function readQuery<Members extends Readonly<Record<string, QueryMember<unknown>>>>(
  url: string | undefined,
  members: Members,
): Query<Members> {
  const search = URL.parse(url ?? "", "http://api")?.searchParams ?? new URLSearchParams();
  const problems: ParamProblem[] = [];
  const wrongAt = (name: string) => (message: string) => void problems.push({ pointer: `/${name}`, message });
  for (const name of new Set(search.keys())) {
    if (!Object.hasOwn(members, name)) wrongAt(name)(`is not known: ${knownOf(Object.keys(members))}`);
    else if (search.getAll(name).length > 1) wrongAt(name)("is given more than once");
  }
  const values = Object.entries(members).map(([name, read]) => [
    name,
    read(search.get(name) ?? undefined, wrongAt(name)),
  ]);
  if (problems.length > 0) throw new SharedProblem("malformed_request", "The query is not valid.", { problems });
  return Object.fromEntries(values) as Query<Members>;
}

function knownOf(names: readonly string[]): string {
  return names.length === 0 ? "this path has no query parameters" : `use ${names.join(", ")}`;
}

/** Any text. */
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

/** A time without offset is UTC; `Date` would read it in this machine's zone. `Date` also rejects leap seconds. */
function momentOf(timestamp: string): number {
  const withOffset = /(Z|[+-]\d\d:\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`;
  return Date.parse(withOffset.replace(/:60(?=[.Z+-])/, ":59"));
}

function wholeNumber({ least, most, usual }: Record<"least" | "most" | "usual", number>): QueryMember<number> {
  return (value, wrong) => {
    if (value === undefined) return usual;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : -1;
    if (number >= least && number <= most) return number;
    wrong(`must be a whole number from ${least} to ${most}`);
    return usual;
  };
}

/** The part of a list to return. */
export const page: { readonly limit: QueryMember<number>; readonly offset: QueryMember<number> } = {
  limit: wholeNumber({ least: 1, most: 200, usual: 50 }),
  offset: wholeNumber({ least: 0, most: 999_999_999, usual: 0 }),
};
