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
import { failed, type Finding, passed, type Row, warned } from "./table.ts";

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
  const error = errorOf(() => load(env));
  const invalid = new Set(error?.problems.map(({ name }) => name));
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
        if (error !== undefined) return failed(counts, ...startErrors(error));
        const { warnings } = load(env);
        return warnings.length > 0 ? warned(counts, ...warnings) : passed(counts);
      },
    },
  };
}

function errorOf(load: () => unknown): ConfigError | undefined {
  try {
    load();
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** Returns the lines that the zone prints when its start ends with this error. Throws any other error. */
function startErrors(error: unknown): string[] {
  if (error instanceof ConfigError) return error.message.split("\n  - ").slice(1);
  if (error instanceof Error && error.name === "FileProblemsError") return error.message.split("\n");
  throw error;
}

/** Makes a probe that opens something as the start does, and shows an error of the start as it is. */
export function asAtStart(open: () => Finding | Promise<Finding>): Row["probe"] {
  return async () => {
    try {
      return await open();
    } catch (error) {
      return failed("the zone can't start", ...startErrors(error));
    }
  };
}

/** A certificate that expires within this many days is a warning. */
const renewWithinDays = 21;

/** Returns the last day of a certificate, such as `2030-01-31`, and the whole days until then: negative when it has expired. */
export function validity(end: Date): { readonly day: string; readonly days: number; readonly isSoon: boolean } {
  const days = Math.floor((end.getTime() - Date.now()) / 86_400_000);
  return { day: end.toISOString().slice(0, 10), days, isSoon: days < renewWithinDays };
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
