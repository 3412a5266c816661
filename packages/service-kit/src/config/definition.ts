import { z } from "zod";

/** The longest wait that `setTimeout` keeps; above it, Node fires at once. https://nodejs.org/api/timers.html */
const longestTimer = 2_147_483_647;

interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number in digits, within the range (default: 0 and up). */
export function wholeNumber({ min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {}): z.ZodType<number, string> {
  const words = `a whole number${rangeText({ min, max })}`;
  return z
    .string()
    .trim()
    .regex(/^-?\d{1,16}$/, { error: `it is not a whole number`, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `it is outside the range` })
    .describe(words);
}

/** A TCP port. 0 asks the operating system for a free one. */
export function port(): z.ZodType<number, string> {
  return wholeNumber({ max: 65_535 }).describe("a port number from 0 to 65535; 0 takes any free one");
}

const spans = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns a time span with its unit as milliseconds. */
export const durationMs = (text: string): number =>
  Number.parseInt(text, 10) * (spans[text.replace(/[\d ]/g, "").toLowerCase() as keyof typeof spans] ?? 0);

/** Returns what is wrong with a time span: it is outside the range. */
export function durationProblem(text: string, { min = 0, max = longestTimer }: Range): string | undefined {
  const ms = durationMs(text);
  return ms >= min && ms <= max ? undefined : `must be a time span${spanRangeText({ min, max }).replace(/^,/, "")}`;
}

/**
 * A time span with its unit, such as `500ms`, `30s`, `10m`, `24h` or `14d`; read as milliseconds. Without a `max`, at most what a timer of Node
 * can wait (about 24.8 days).
 */
export function duration({ min = 0, max = longestTimer }: Range = {}): z.ZodType<number, string> {
  return z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^(0|\d{1,13} ?(ms|s|m|h|d))$/, { error: "it is not a time span with a unit", abort: true })
    .transform(durationMs)
    .refine((ms) => ms >= min && ms <= max, { error: "it is outside the range" })
    .describe(`a time span such as 500ms, 30s, 10m, 24h or 14d${spanRangeText({ min, max })}`);
}

function spanRangeText({ min, max }: Required<Range>): string {
  if (max !== longestTimer) return `, from ${spanText(min)} to ${spanText(max)}`;
  return min > 1 ? `, at least ${spanText(min)}` : "";
}

/** A time span as `duration` reads it, in the largest unit that is exact. */
function spanText(ms: number): string {
  const [unit, factor] = Object.entries(spans).findLast(([, each]) => ms % each === 0) ?? ["ms", 1];
  return ms === 0 ? "0" : `${ms / factor}${unit}`;
}

/** An absolute URL, kept as it was written. Its scheme is one of `schemes` (default: http and https). */
export function url(schemes: readonly string[] = ["http", "https"]): z.ZodType<string, string> {
  return z
    .string()
    .trim()
    .refine((text) => URL.canParse(text), { error: "it is not an absolute URL", abort: true })
    .refine((text) => schemes.includes(new URL(text).protocol.slice(0, -1)), { error: "its scheme is not allowed" })
    .describe(`an absolute URL that starts with ${schemes.map((scheme) => `${scheme}:`).join(" or ")}`);
}

export function yesOrNo(): z.ZodType<boolean, string> {
  return z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .describe("true or false");
}

/** Items between commas. Spaces around an item and empty items are dropped, so the list may be empty. */
export function list<Item = string>(item?: z.ZodType<Item, string>): z.ZodType<Item[], string> {
  const items = z.array((item ?? z.string()) as z.ZodType<Item, string>);
  const each = item?.description === undefined ? "" : `; each item is ${item.description}`;
  return z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ""))
    .pipe(items)
    .describe(`a comma-separated list${each}`);
}

export function oneOf<const Name extends string>(names: readonly Name[]): z.ZodType<Name, string> {
  return z.enum(names).describe(names.join(", ").replace(/, (\S+)$/, " or $1"));
}

/** A text that is not empty, without spaces at its ends; `what` names it. */
export function nonEmpty(what: string): z.ZodType<string, string> {
  return z.string().trim().min(1).describe(what);
}

/** A text that matches `pattern`; `what` names it in problems, and with `more` in the reference. */
export function matching(pattern: RegExp, what: string, more = ""): z.ZodType<string, string> {
  return z
    .string()
    .regex(pattern, { error: `it is not ${what}` })
    .describe(`${what}${more}`);
}

/** The path of a file, which is read later. */
export function filePath(): z.ZodType<string, string> {
  return nonEmpty("the path of a file");
}

const units = { "": 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** A number of bytes: `1048576`, `1024KB` or `1MB`. A KB is 1024 bytes. */
export function byteSize({ min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {}): z.ZodType<number, string> {
  return z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^\d{1,16} ?([KMG]?B)?$/, { error: "it is not a size", abort: true })
    .transform((text) => Number.parseInt(text, 10) * units[text.replace(/[\d ]/g, "") as keyof typeof units])
    .refine((bytes) => bytes >= min && bytes <= max, { error: "it is outside the range" })
    .describe(`a size in bytes, or with KB, MB or GB (1 KB is 1024 bytes)${rangeText({ min, max })}`);
}

/** A secret of at least `minLength` characters. A space or a line break at an end is refused: it came from copying. */
export function secret(minLength = 32): z.ZodType<string, string> {
  return z
    .string()
    .min(minLength)
    .refine((text) => text === text.trim())
    .describe(`at least ${minLength} characters, with no space or line break at either end`);
}

function rangeText({ min, max }: Required<Range>): string {
  if (max === Number.MAX_SAFE_INTEGER) return min === 0 ? "" : `, at least ${min}`;
  return ` from ${min} to ${max}`;
}

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

export type Variable<Value> = ConfigEntry<z.ZodType<Value, string>>;

export type OptionalVariable<Value> = ConfigEntry<z.ZodType<Value | undefined, string | undefined>>;

/**
 * Declares a variable: how it is read, and its default or example. The text after it is its description:
 * variable(port(), { default: "3000" })`Port to listen on.`
 */
export function variable<Schema extends EntrySchema>(
  schema: Schema,
  options: { readonly example?: string } & ({ readonly secret: true } | { readonly default?: string }) = {},
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
