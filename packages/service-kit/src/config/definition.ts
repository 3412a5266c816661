import { z } from "zod";

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

/** A variable with a default. */
export type Variable<Value> = ConfigEntry<z.ZodType<Value, string>>;

/** A variable that may be absent. */
export type OptionalVariable<Value> = ConfigEntry<z.ZodType<Value | undefined, string | undefined>>;

type VariableOptions = Omit<EntryText<EntrySchema>, "schema" | "description"> &
  ({ readonly secret: true } | { readonly default?: string });

/**
 * Declares a variable: how it is read, and its default or example. The text after it is its description:
 * variable(port(), { default: "3000" })`Port to listen on.`
 */
export function variable<Schema extends EntrySchema>(
  schema: Schema,
  options: VariableOptions = {},
): (description: TemplateStringsArray) => ConfigEntry<Schema> {
  return (description) => ({ schema, description: textOf(description), ...options });
}

const textOf = (description: TemplateStringsArray): string => description.join("").replaceAll(/\s+/g, " ").trim();

/** Returns variables with the heading under which the documentation lists them. */
export function groupOf<Entries extends Readonly<Record<string, ConfigEntry>>>(
  group: string,
  entries: Entries,
): Entries {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, { ...entry, group }])) as Entries;
}

/** A value that no operator needs to change. Code reads it under its name, as it reads a variable. */
export interface ConfigConstant<Value extends number | string = number | string> {
  readonly constant: Value;
  readonly unit: string;
  /** What it bounds, and why this value fits every deployment. */
  readonly description: string;
}

type Widened<Value> = Value extends number ? number : string;

/** Declares a constant of the configuration: its value and its unit. The text after it says what it bounds, and why. */
export function constant<Value extends number | string>(
  value: Value & Widened<Value>,
  unit: string,
): (description: TemplateStringsArray) => ConfigConstant<Widened<Value>> {
  return (description) => ({ constant: value, unit, description: textOf(description) });
}

export type ConfigDefinition = Readonly<Record<string, ConfigEntry | ConfigConstant>>;

/** The values of a definition: variable name → the output of its schema; constant name → number or string. */
export type ConfigValues<D extends ConfigDefinition> = {
  readonly [Name in keyof D]: D[Name] extends ConfigConstant<infer Value>
    ? Value
    : D[Name] extends ConfigEntry
      ? z.output<D[Name]["schema"]>
      : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Declares the variables of one app. Throws a `TypeError` for a name that is not upper snake case, and for a default or an example that its
 * own schema refuses.
 */
export function defineConfig<const D extends ConfigDefinition>(definition: D): D {
  for (const [name, entry] of Object.entries(definition)) {
    if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name)) throw new TypeError(`${name} is not an upper snake case name`);
    if (!("schema" in entry)) continue;
    const shown = { default: entry.default, example: entry.secret === true ? undefined : entry.example };
    for (const [member, text] of Object.entries(shown)) {
      if (text !== undefined && !entry.schema.safeParse(text).success) {
        throw new TypeError(`the ${member} of ${name} is not valid for its own schema`);
      }
    }
  }
  return definition;
}

/** Returns the variables of a definition, without constants. */
export function variablesOf(definition: ConfigDefinition): [name: string, entry: ConfigEntry][] {
  return Object.entries(definition).filter((item): item is [string, ConfigEntry] => "schema" in item[1]);
}

export function constantsOf(definition: ConfigDefinition): [name: string, entry: ConfigConstant][] {
  return Object.entries(definition).filter((item): item is [string, ConfigConstant] => "constant" in item[1]);
}

/** Returns a description of valid values: the `.describe(…)` of the schema. */
export function expectedText(schema: z.ZodType): string | undefined {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return schema.description ?? z.globalRegistry.get(inner)?.description;
}
