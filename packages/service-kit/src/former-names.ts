import { isDeepStrictEqual } from "node:util";
import { variablesOf, type ConfigDefinition, type ConfigEntry, type Environment } from "./config-definition.ts";
import type { ConfigProblem } from "./config-error.ts";

interface NewNames {
  /** The environment, in which values of former names are values of the new ones. */
  readonly env: Environment;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

/** Gives each variable that is set under its former name its new name, and likewise `NAME_FILE` of a secret. */
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
