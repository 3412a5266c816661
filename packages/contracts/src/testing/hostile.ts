import { posix } from "node:path";
import * as validators from "../generated/validators.ts";
import { apiSources } from "../openapi.ts";
import { ourSchemas, readJson } from "./contract.ts";
import { readCases } from "./corpus.ts";

/** `@crosszone/contracts/hostile`: answers of the API full of what a stranger could write, for tests of any package. Not published. */

/** What a stranger could write into any text: it clears a screen, turns text around, ends lines, hides, and is markup. */
const hostileText =
  '\u001B[2J\u009B31m\u202Eevil\u2066\u2069\u200F\u061C\u2028\u0085\u200B"><img src=x onerror=alert(1)><!channel>';

/** What no terminal and no page may get of it as it is. */
export const rawHostile: RegExp = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Returns a hostile answer to each operation of the API that reads JSON, by its path: every text that takes more has the hostile text. */
export function hostileAnswers(): ReadonlyMap<string, object> {
  const answers = Object.values(apiSources).flatMap(({ path: source, paths }) =>
    Object.entries(paths).flatMap(([template, { get }]) => {
      const { responses } = (get ?? {}) as { readonly responses?: Readonly<Record<string, Described | undefined>> };
      const ref = responses?.["200"]?.content?.["application/json"]?.schema.$ref;
      if (ref?.endsWith(".schema.json") !== true) return [];
      return [[template, hostile(posix.join(posix.dirname(source), ref))] as const];
    }),
  );
  return new Map(answers);
}

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } } | undefined>>;
}

interface SchemaFile {
  readonly title: string;
  readonly properties?: Readonly<Record<string, { readonly items?: { readonly $ref?: string } } | undefined>>;
}

/** Returns the largest valid case of a schema such as `task/task-list.schema.json`, with the hostile text. A list has the largest of its items. */
function hostile(path: string): object {
  const { title, properties = {} } = readJson(ourSchemas, path) as SchemaFile;
  const isValid = new Map<string, unknown>(Object.entries(validators)).get(`is${title}`) as (value: unknown) => boolean;
  const cases = readCases(path.replace(".schema.json", "")).filter(({ valid }) => valid);
  const [largest] = cases.map(({ value }) => JSON.stringify(value)).toSorted((a, b) => b.length - a.length);
  const whole = JSON.parse(largest ?? "{}") as Record<string, unknown>;
  for (const [name, { items } = {}] of Object.entries(properties))
    if (items?.$ref?.endsWith(".schema.json") === true)
      whole[name] = [hostile(posix.join(posix.dirname(path), items.$ref))];
  const change = (value: object): void => {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === "object" && member !== null) change(member as object);
      if (typeof member !== "string" || member.includes(hostileText)) continue;
      Object.assign(value, { [name]: member + hostileText });
      if (!isValid(whole)) Object.assign(value, { [name]: member });
    }
  };
  change(whole);
  if (!isValid(whole)) throw new Error(`The largest case of ${path} and of its items are no valid ${title}.`);
  return whole;
}
