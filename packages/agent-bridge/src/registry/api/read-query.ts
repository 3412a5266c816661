import type { ParamProblem } from "@crosszone/contracts";
import { RegistryProblem } from "./registry-problem.ts";

/** What a list is asked for. */
export interface Query {
  readonly limit: number;
  readonly offset: number;
  readonly protocol: string | undefined;
  readonly enabled: boolean | undefined;
  readonly q: string | undefined;
}

export type QueryName = keyof Query;

const defaultLimit = 50;
const mostLimit = 200;

/** Reads the query of a URL. Throws a `RegistryProblem` that names what is wrong, and what is not known. */
export function readQuery(url: string | undefined, known: readonly QueryName[]): Query {
  const search = URL.parse(url ?? "", "http://registry")?.searchParams ?? new URLSearchParams();
  const problems: ParamProblem[] = [];
  const wrong = (name: string, message: string): undefined => void problems.push({ pointer: `/${name}`, message });
  for (const name of new Set(search.keys())) {
    if (!(known as readonly string[]).includes(name)) wrong(name, `is not known: ask by ${known.join(", ")}`);
    else if (search.getAll(name).length > 1) wrong(name, "is there more than once");
  }
  const whole = (name: QueryName, { least, most, usual }: Range): number => {
    const text = search.get(name);
    if (text === null) return usual;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    return value >= least && value <= most
      ? value
      : (wrong(name, `must be a whole number from ${least} to ${most}`) ?? usual);
  };
  const limit = whole("limit", { least: 1, most: mostLimit, usual: defaultLimit });
  const offset = whole("offset", { least: 0, most: 999_999_999, usual: 0 });
  const enabled = search.get("enabled");
  if (enabled !== null && enabled !== "true" && enabled !== "false") wrong("enabled", "must be true or false");
  if (problems.length > 0) throw new RegistryProblem("malformed_request", "The query is not valid.", { problems });
  return {
    limit,
    offset,
    protocol: search.get("protocol") ?? undefined,
    enabled: enabled === null ? undefined : enabled === "true",
    q: search.get("q") ?? undefined,
  };
}

interface Range {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}
