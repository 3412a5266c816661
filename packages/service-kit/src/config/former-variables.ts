import { isDeepStrictEqual } from "node:util";
import {
  type ConfigDefinition,
  type ConfigEntry,
  constantsOf,
  type Environment,
  formerVariablesOf,
  variablesOf,
} from "./definition.ts";
import type { ConfigProblem } from "./config-error.ts";

/** The variable with which tests change constants: a JSON object of names and values. Unsupported in production. */
const tuningVariable = "CROSSZONE_TUNING";

interface ReadConstants {
  readonly values: Readonly<Record<string, number | string>>;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

/** Returns the constants of a definition, changed by `CROSSZONE_TUNING`. Warns of variables that are gone or have become constants. */
export function readConstants(definition: ConfigDefinition, env: Environment): ReadConstants {
  const constants = constantsOf(definition);
  const fixed = Object.fromEntries(constants.map(([name, entry]) => [name, entry.constant]));
  const gone = [
    ...constants.flatMap(([name, { constant: value, unit, formerly = [] }]) =>
      [name, ...formerly].map((former) => [former, `it is always ${value} ${unit}`]),
    ),
    ...formerVariablesOf(definition).map(([name, { decidedBy }]) => [name, `${decidedBy} decides it`]),
  ];
  const warnings = gone
    .filter(([name = ""]) => env[name])
    .map(([name, reason]) => `${name} has no effect any more: ${reason}. Remove it.`);
  const text = env[tuningVariable];
  if (!text || constants.length === 0) return { values: fixed, problems: [], warnings };
  const tuned = parseTuning(text);
  const wrong = tuned === undefined ? ["is not a JSON object"] : Object.entries(tuned).flatMap(misuse(fixed));
  return {
    values: { ...fixed, ...(wrong.length === 0 && (tuned as typeof fixed)) },
    problems: wrong.map((problem) => ({ name: tuningVariable, wrong: problem, expected: tuningExpected })),
    warnings: [...warnings, `${tuningVariable} changes constants. It is for tests and unsupported in production.`],
  };
}

const tuningExpected = 'a JSON object with names and values of constants, such as {"MAX_DEPTH":32}';

function parseTuning(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value)
      ? ((value ?? undefined) as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the problem of one change. Shows a name only if it can be the name of a constant. */
function misuse(fixed: Readonly<Record<string, number | string>>) {
  return ([name, value]: [string, unknown]): string[] => {
    const shown = /^[A-Z][A-Z0-9_]{0,60}$/.test(name) ? name : "a name";
    if (!Object.hasOwn(fixed, name)) return [`sets ${shown}, which is not a constant of this zone`];
    if (typeof fixed[name] === "string")
      return typeof value === "string" ? [] : [`sets ${name} to something other than a string`];
    return Number.isSafeInteger(value) && Number(value) >= 0
      ? []
      : [`sets ${name} to something other than a whole number`];
  };
}

interface NewNames {
  /** The environment, in which values of former names are values of the new ones. */
  readonly env: Environment;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

/** Renames variables that are set under a former name, and `NAME_FILE` of secrets. Returns a warning for each. */
export function useNewNames(definition: ConfigDefinition, given: Environment): NewNames {
  const env: Record<string, string | undefined> = { ...given };
  const problems: ConfigProblem[] = [];
  const warnings: string[] = [];
  for (const [name, entry] of variablesOf(definition)) {
    if (entry.formerly === undefined) continue;
    for (const suffix of entry.secret === true ? ["", "_FILE"] : [""]) {
      const [former, current] = [entry.formerly + suffix, name + suffix];
      const text = given[former];
      if (!text) continue;
      const moved = withUnit(former, text);
      warnings.push(
        `${former} is now called ${current}. The old name still works: set ${current}${unitHint(former)} instead.`,
      );
      if (!given[current]) env[current] = moved;
      else if (!isSame(entry, suffix, [moved, given[current]]))
        problems.push({
          name: current,
          wrong: `and its former name ${former} have different values: keep ${current} only`,
        });
    }
  }
  return { env, problems, warnings };
}

const units: Readonly<Record<string, string>> = { _MS: "ms", _DAYS: "d" };
const unitOf = (former: string): string => units[/_(MS|DAYS)$/.exec(former)?.[0] ?? ""] ?? "";

/** The unit was part of the former name; now it is part of the value. */
function withUnit(former: string, text: string): string {
  return /^\s*\d+\s*$/.test(text) ? `${text.trim()}${unitOf(former)}` : text;
}

const unitHint = (former: string): string => (unitOf(former) === "" ? "" : `, with a unit such as 30s or 14d,`);

function isSame({ schema }: ConfigEntry, suffix: string, [one, other]: [string, string]): boolean {
  if (suffix !== "") return one === other;
  const read = [one, other].map((text) => {
    try {
      return schema.safeParse(text);
    } catch {
      return undefined;
    }
  });
  return one === other || (read.every((result) => result?.success) && isDeepStrictEqual(read[0]?.data, read[1]?.data));
}
