import { type ConfigDefinition, constantsOf, type Environment } from "./definition.ts";
import type { ConfigProblem } from "./config-error.ts";

/** The variable with which tests change constants: a JSON object of names and values. Unsupported in production. */
const tuningVariable = "CROSSZONE_TUNING";

interface ReadConstants {
  readonly values: Readonly<Record<string, number | string>>;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

/** Returns the constants of a definition, changed by `CROSSZONE_TUNING`. */
export function readConstants(definition: ConfigDefinition, env: Environment): ReadConstants {
  const constants = constantsOf(definition);
  const fixed = Object.fromEntries(constants.map(([name, entry]) => [name, entry.constant]));
  const text = env[tuningVariable];
  if (!text || constants.length === 0) return { values: fixed, problems: [], warnings: [] };
  const tuned = parseTuning(text);
  const wrong = tuned === undefined ? ["is not a JSON object"] : Object.entries(tuned).flatMap(misuse(fixed));
  return {
    values: { ...fixed, ...(wrong.length === 0 && (tuned as typeof fixed)) },
    problems: wrong.map((problem) => ({ name: tuningVariable, wrong: problem, expected: tuningExpected })),
    warnings: [`${tuningVariable} changes constants. It is for tests and unsupported in production.`],
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
