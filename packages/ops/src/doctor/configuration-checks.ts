import { X509Certificate } from "node:crypto";
import {
  type ConfigDefinition,
  ConfigError,
  type ConfigProblem,
  type ConfigValues,
  type Environment,
  type LoadedConfig,
  readConfig,
  variablesOf,
} from "@crosszone/service-kit";
import { type Check, failed, type Finding, passed, warned } from "./checks.ts";

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

/** The doctor warns about a certificate that expires within this many days. */
export const renewWithinDays = 21;

const dayMs = 86_400_000;

/** Returns the whole days from `now` (Unix milliseconds) until a certificate expires; negative when it has expired. */
export function daysUntil(end: Date, now: number): number {
  return Math.floor((end.getTime() - now) / dayMs);
}

/** The result of opening files: a summary, and the certificates in them, PEM. */
export interface Opened {
  readonly says: string;
  /** By the variable that names the file. */
  readonly certificates?: Readonly<Record<string, string | undefined>>;
}

/** Checks that files can be read and fit together, as the zone does at its start, and that certificates do not expire soon. */
export function checkOpens(
  check: Omit<Check, "run">,
  open: () => Opened | Promise<Opened>,
  now: () => number = Date.now,
): Check {
  return {
    ...check,
    run: async () => {
      try {
        const { says, certificates = {} } = await open();
        return judged(says, Object.entries(certificates), now());
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return failed("files can't be used", ...error.problems.map(({ name, wrong }) => `${name} ${wrong}.`));
      }
    },
  };
}

function judged(says: string, certificates: readonly [string, string | undefined][], now: number): Finding {
  const ends = certificates.flatMap(([name, pem]) => {
    if (pem === undefined) return [];
    const { validToDate } = new X509Certificate(pem);
    return [{ name, day: validToDate.toISOString().slice(0, 10), days: daysUntil(validToDate, now) }];
  });
  const over = ends.filter(({ days }) => days < 0).map(({ name, day }) => `${name} expired on ${day}. Renew it.`);
  const soon = ends.filter(({ days }) => days >= 0 && days < renewWithinDays);
  if (over.length > 0) return failed("a certificate has expired", ...over);
  if (soon.length > 0)
    return warned(
      `${says}; a certificate expires soon`,
      ...soon.map(({ name, day }) => `${name} expires on ${day}. Renew it.`),
    );
  return passed([says, ...ends.map(({ name, day }) => `${name} is valid until ${day}`)].join("; "));
}
