import { readFileSync } from "node:fs";
import { z } from "zod";
import { ConfigError, type ConfigProblem } from "./config-error.ts";
import { isNearName } from "./near-name.ts";
import { hideSecrets } from "./secrets.ts";

interface EntryText<Schema extends z.ZodType> {
  /** Reads the variable's text. Its input is a string; `.optional()` makes the variable one that may be absent. */
  readonly schema: Schema;
  /** One sentence for the documentation and for error messages. */
  readonly description: string;
  readonly example?: string;
  /** Heading under which documentation lists the variable. */
  readonly group?: string;
}

type EntrySchema = z.ZodType<unknown, string | undefined>;

/** One variable. A secret has no default, may come from the file that `NAME_FILE` names, and is never shown. */
export type ConfigEntry<Schema extends z.ZodType = EntrySchema> =
  | (EntryText<Schema> & { readonly secret?: false; readonly default?: string })
  | (EntryText<Schema> & { readonly secret: true; readonly default?: never });

export type ConfigDefinition = Readonly<Record<string, ConfigEntry>>;

/** What `loadConfig` reads: variable name → the type that its schema gives. */
export type ConfigValues<D extends ConfigDefinition> = { readonly [Name in keyof D]: z.output<D[Name]["schema"]> };

/** Finds what is wrong between variables. It gets those that could be read, so that all problems are told at once. */
export type ConfigCheck<D extends ConfigDefinition> = (values: Partial<ConfigValues<D>>) => readonly ConfigProblem[];

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadedConfig<D extends ConfigDefinition> {
  readonly values: ConfigValues<D>;
  /** One sentence for each variable that is set, unknown, and looks like a misspelt one. Log them. */
  readonly warnings: readonly string[];
  /** The path that each secret was read from, of those that came from a file: such a file may be replaced later. */
  readonly files: { readonly [Name in keyof D]?: string };
}

/**
 * Declares the variables of one app.
 * A name that is not upper snake case, or a default or an example that its own schema refuses, throws a `TypeError`:
 * documentation is made from them, so they must be true.
 */
export function defineConfig<const D extends ConfigDefinition>(definition: D): D {
  for (const [name, entry] of Object.entries<ConfigEntry>(definition)) {
    if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name)) throw new TypeError(`${name} is not an upper snake case name`);
    const shown = { default: entry.default, example: entry.secret === true ? undefined : entry.example };
    for (const [member, text] of Object.entries(shown)) {
      if (text !== undefined && !entry.schema.safeParse(text).success) {
        throw new TypeError(`the ${member} of ${name} is not valid for its own schema`);
      }
    }
  }
  return definition;
}

/**
 * Reads the variables of `definition` from `env`. An empty string counts as unset.
 * Throws one `ConfigError` that lists every problem: of a variable that cannot be read its own, of the others those that `check`
 * finds. It never shows a value, not even of a variable that is no secret or not known: a token may sit in the wrong one.
 */
export function loadConfig<const D extends ConfigDefinition>(
  definition: D,
  env: Environment,
  check: ConfigCheck<D> = () => [],
): LoadedConfig<D> {
  const { values, problems, warnings, files } = readConfig(definition, env);
  const unread = new Set(problems.map(({ name }) => name));
  const all = [...problems, ...check(values).filter(({ name }) => !unread.has(name))];
  if (all.length > 0) throw new ConfigError(all, warnings);
  return { values: values as ConfigValues<D>, warnings, files };
}

/** What `readConfig` could make of an environment. */
export interface ReadConfig<D extends ConfigDefinition> {
  /** The variables that could be read. */
  readonly values: Partial<ConfigValues<D>>;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
  readonly files: LoadedConfig<D>["files"];
}

/** Reads each variable for itself and throws nothing, for whoever can go on with a part of them. */
export function readConfig<const D extends ConfigDefinition>(definition: D, env: Environment): ReadConfig<D> {
  const problems: ConfigProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries<ConfigEntry>(definition)) {
    const read = readEntry(name, entry, env);
    if ("wrong" in read) problems.push({ name, wrong: read.wrong, ...expectation(entry) });
    else values[name] = read.value;
  }
  return {
    values: Object.freeze(values) as Partial<ConfigValues<D>>,
    problems,
    warnings: unknownNames(definition, env),
    files: filesOf(definition, env),
  };
}

function filesOf<D extends ConfigDefinition>(definition: D, env: Environment): LoadedConfig<D>["files"] {
  const files = Object.entries<ConfigEntry>(definition).flatMap(([name, { secret }]) => {
    const path = secret === true ? env[`${name}_FILE`] : undefined;
    return path ? [[name, path]] : [];
  });
  return Object.fromEntries(files) as LoadedConfig<D>["files"];
}

/** What a value of this variable looks like, in words: the `.describe(…)` of its schema. */
export function expectedText(schema: z.ZodType): string | undefined {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return schema.description ?? z.globalRegistry.get(inner)?.description;
}

type Read = { readonly value: unknown } | { readonly wrong: string };

function readEntry(name: string, entry: ConfigEntry, env: Environment): Read {
  const direct = env[name] || undefined;
  const file = entry.secret === true ? env[`${name}_FILE`] || undefined : undefined;
  if (direct !== undefined && file !== undefined) {
    return { wrong: `is set, and so is ${name}_FILE: keep one of the two` };
  }
  if (file === undefined) return parse(entry, direct ?? entry.default);
  try {
    const text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    return text === "" ? { wrong: `is empty in the file that ${name}_FILE names` } : parse(entry, text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return { wrong: `cannot be read from the file that ${name}_FILE names (${code})` };
  }
}

/** A schema's own words are shown for a variable that is no secret. For a secret they are not: they might quote it. */
function parse({ schema, secret }: ConfigEntry, text: string | undefined): Read {
  try {
    const result = schema.safeParse(text);
    if (result.success) return { value: result.data };
    if (text === undefined) return { wrong: "is not set" };
    const words = result.error.issues.map((issue) => issue.message).join("; ");
    if (secret !== true) return { wrong: `is not valid: ${hideSecrets(words)}` };
  } catch {
    // A transform threw. Its message may quote the value, so none of it is shown.
  }
  return { wrong: "is not valid" };
}

function expectation({ schema, description, example }: ConfigEntry): Omit<ConfigProblem, "name" | "wrong"> {
  return { expected: expectedText(schema) ?? description, ...(example === undefined ? {} : { example }) };
}

function unknownNames(definition: ConfigDefinition, env: Environment): string[] {
  const known = Object.keys(definition);
  const files = known.filter((name) => definition[name]?.secret === true).map((name) => `${name}_FILE`);
  const all = new Set([...known, ...files]);
  const prefixes = known.filter((name) => name.includes("_")).map((name) => name.slice(0, name.indexOf("_") + 1));
  return Object.keys(env)
    .filter((name) => env[name] && !all.has(name) && prefixes.some((prefix) => name.startsWith(prefix)))
    .flatMap((name) => {
      if (name.endsWith("_FILE") && all.has(name.slice(0, -5))) {
        return `${name} is not read: only a secret may come from a file. Set ${name.slice(0, -5)}.`;
      }
      const near = [...all].find((candidate) => isNearName(name, candidate));
      return near === undefined ? [] : `${name} is not a known variable. Did you mean ${near}?`;
    });
}
