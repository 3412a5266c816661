import type { ParamProblem } from "@crosszone/contracts";
import { SharedProblem } from "./shared-problem.ts";

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
    else if (search.getAll(name).length > 1) wrongAt(name)("is there more than once");
  }
  const values = Object.entries(members).map(([name, read]) => [
    name,
    read(search.get(name) ?? undefined, wrongAt(name)),
  ]);
  if (problems.length > 0) throw new SharedProblem("malformed_request", "The query is not valid.", { problems });
  return Object.fromEntries(values) as Query<Members>;
}

function knownOf(names: readonly string[]): string {
  return names.length === 0 ? "there is nothing to ask by here" : `ask by ${names.join(", ")}`;
}
