import { isReadableOnTheWay } from "../values/text.ts";

/** A problem of the configuration. No member may contain a value of the environment. */
export interface ConfigProblem {
  readonly name: string;
  /** The problem, as the rest of a sentence that starts with the name: `is not set`. */
  readonly wrong: string;
  readonly expected?: string;
  readonly example?: string;
}

/** A rule between variables: whether it is broken, the variable with the problem, what is wrong, and what is expected. */
type ConfigRule = readonly [isBroken: boolean, name: string, wrong: string, expected?: string];

/** Returns the problems of the broken rules, in their order. */
export function brokenRules(rules: readonly ConfigRule[]): ConfigProblem[] {
  return rules.filter(([isBroken]) => isBroken).map(([, name, wrong, expected]) => ({ name, wrong, expected }));
}

/** A URL, if it is set, is encrypted on its way to another machine. */
export function encryptedRule(name: string, url: string | undefined): ConfigRule {
  return [isReadableOnTheWay(url), name, "uses http: to another machine", "https:, or a host on this machine"];
}

/** The configuration is invalid. The message lists every problem, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];

  constructor(problems: readonly ConfigProblem[], warnings: readonly string[] = []) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    const lines = [...problems.map(problemLine), ...warnings].map((line) => `  - ${line}`);
    super([`The configuration has ${count}:`, ...lines].join("\n"));
    this.problems = problems;
    this.warnings = warnings;
  }
}

function problemLine({ name, wrong, expected, example }: ConfigProblem): string {
  const shown = expected === undefined ? "" : ` Expected: ${expected.replace(/\.$/, "")}.`;
  return `${name} ${wrong}.${shown}${example === undefined ? "" : ` Example: ${example}`}`;
}
