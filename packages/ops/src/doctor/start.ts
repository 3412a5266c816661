import { X509Certificate } from "node:crypto";
import {
  type ConfigDefinition,
  ConfigError,
  type ConfigValues,
  type Environment,
  type LoadedConfig,
  readConfig,
  variablesOf,
} from "@crosszone/service-kit";
import { failed, type Finding, passed, type Row, startErrors, warned } from "./table.ts";

/** A configuration as far as it can be read. */
export interface ReadSettings<D extends ConfigDefinition> {
  /** Shows the problems that end the zone's start. */
  readonly row: Row;
  /** The variables that could be read. A row names those that it needs. */
  readonly values: ConfigValues<D>;
  /** Paths of the secrets that were read from files. */
  readonly files: LoadedConfig<D>["files"];
  /** Returns why a row cannot run: a variable that it reads has a problem. */
  readonly skip: (row: Row) => string | undefined;
}

/** Reads a zone's variables as its start does, and reports all problems at once, in the words of the start. */
export function readSettings<const D extends ConfigDefinition>(
  definition: D,
  load: (env: Environment) => LoadedConfig<D>,
  env: Environment,
): ReadSettings<D> {
  const { values, files } = readConfig(definition, env);
  const started = attempt(() => load(env));
  const invalid = new Set("error" in started ? started.error.problems.map(({ name }) => name) : []);
  const names = variablesOf(definition).map(([name]) => name);
  const counts = `${names.length} variables, ${names.filter((name) => env[name] || env[`${name}_FILE`]).length} of them set`;
  return {
    values: values as ConfigValues<D>,
    files,
    skip: ({ variables = [] }) => {
      const name = variables.find((variable) => invalid.has(variable));
      return name && `${name} has a problem, see "configuration"`;
    },
    row: {
      name: "configuration",
      probe: () => {
        if ("error" in started) return failed(counts, ...(startErrors(started.error) ?? []));
        return started.warnings.length > 0 ? warned(counts, ...started.warnings) : passed(counts);
      },
    },
  };
}

function attempt<T>(load: () => T): T | { readonly error: ConfigError } {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError) return { error };
    throw error;
  }
}

/** Returns the last day of a certificate, such as `2030-01-31`, the whole days until then, and whether to renew it now. */
export function validity(end: Date): { readonly day: string; readonly days: number; readonly isSoon: boolean } {
  const days = Math.floor((end.getTime() - Date.now()) / 86_400_000);
  return { day: end.toISOString().slice(0, 10), days, isSoon: days < 21 };
}

/** Judges certificates in files, PEM by the variable that names the file. */
export function judgeCertificates(says: string, certificates: Readonly<Record<string, string | undefined>>): Finding {
  const ends = Object.entries(certificates).flatMap(([name, pem]) =>
    pem === undefined ? [] : [{ name, ...validity(new X509Certificate(pem).validToDate) }],
  );
  const over = ends.filter(({ days }) => days < 0).map(({ name, day }) => `${name} expired on ${day}. Renew it.`);
  const soon = ends.filter(({ isSoon }) => isSoon).map(({ name, day }) => `${name} expires on ${day}. Renew it.`);
  if (over.length > 0) return failed("a certificate has expired", ...over);
  if (soon.length > 0) return warned(`${says}; a certificate expires soon`, ...soon);
  return passed([says, ...ends.map(({ name, day }) => `${name} is valid until ${day}`)].join("; "));
}
