import { ConfigError, type ConfigProblem } from "../config-error.ts";
import { variablesOf, type ConfigDefinition, type ConfigValues, type Environment } from "../config-definition.ts";
import { readConfig, type LoadedConfig } from "../config.ts";
import { failed, passed, warned, type Check } from "./check.ts";

/** A configuration as far as it can be read. */
export interface ReadForDoctor<D extends ConfigDefinition> {
  readonly check: Check;
  /** The variables that could be read; a check says by `reads` which of them it needs. */
  readonly values: Partial<ConfigValues<D>>;
  /** Paths of the secrets that were read from files. */
  readonly files: LoadedConfig<D>["files"];
  /** For `skip`: a check that reads a variable with a problem cannot run. */
  readonly skip: (check: Check) => string | undefined;
}

/** Reads a zone's variables as the zone does, and reports all problems at once. */
export function checkConfiguration<const D extends ConfigDefinition>(
  definition: D,
  load: (env: Environment) => LoadedConfig<D>,
  env: Environment,
): ReadForDoctor<D> {
  const { problems, warnings } = loaded(load, env);
  const wrong = new Map(problems.map(({ name }) => [name, `${name} has a problem, see "configuration"`]));
  const names = variablesOf(definition).map(([name]) => name);
  const set = names.filter((name) => env[name] || env[`${name}_FILE`]).length;
  const counts = `${names.length} variables, ${set} of them set`;
  const { values, files } = readConfig(definition, env);
  return {
    values,
    files,
    skip: ({ reads = [] }) => reads.map((name) => wrong.get(name)).find((reason) => reason !== undefined),
    check: {
      name: "configuration",
      run: () => {
        if (problems.length > 0) {
          const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
          return failed(`${count}; ${counts}`, ...problems.map(problemText), ...warnings);
        }
        return warnings.length > 0 ? warned(counts, ...warnings) : passed(counts);
      },
    },
  };
}

function loaded<D extends ConfigDefinition>(
  load: (env: Environment) => LoadedConfig<D>,
  env: Environment,
): { readonly problems: readonly ConfigProblem[]; readonly warnings: readonly string[] } {
  try {
    return { problems: [], warnings: load(env).warnings };
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function problemText({ name, wrong, expected }: ConfigProblem): string {
  return `${name} ${wrong}.${expected === undefined ? "" : ` Expected: ${expected.replace(/\.$/, "")}.`}`;
}
