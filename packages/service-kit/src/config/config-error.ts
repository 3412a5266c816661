/** A problem of the configuration. No member may contain a value of the environment. */
export interface ConfigProblem {
  readonly name: string;
  /** The problem, as the rest of a sentence that starts with the name: `is not set`. */
  readonly wrong: string;
  readonly expected?: string;
  readonly example?: string;
}

/** A rule between variables: whether it is broken, the variable with the problem, what is wrong, and what is expected. */
export type ConfigRule = readonly [isBroken: boolean, name: string, wrong: string, expected?: string];

/** Returns the problems of the broken rules, in their order. */
export function brokenRules(rules: readonly ConfigRule[]): ConfigProblem[] {
  return rules.filter(([isBroken]) => isBroken).map(([, name, wrong, expected]) => ({ name, wrong, expected }));
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
  return [
    `${name} ${wrong}.`,
    ...(expected === undefined ? [] : [`Expected: ${expected.replace(/\.$/, "")}.`]),
    ...(example === undefined ? [] : [`Example: ${example}`]),
  ].join(" ");
}
