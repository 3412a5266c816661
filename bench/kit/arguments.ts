import { parseArgs } from "node:util";

/** An option of a command line. */
export interface Option<T> {
  /** Its name, where it is not the key under which its value is returned. */
  readonly name?: string;
  /** The placeholder of its value in the help text. A flag has none. */
  readonly value?: string;
  readonly isList?: boolean;
  readonly isRequired?: boolean;
  readonly hint: string;
  /** Reads the given values; the list is empty when the option is absent. Throws a `TypeError` when a value is invalid. */
  readonly read: (given: readonly string[], flag: string) => T;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each option has its own type
export type Options = Readonly<Record<string, Option<any>>>;
export type Values<Of extends Options> = { readonly [Key in keyof Of]: ReturnType<Of[Key]["read"]> };

/** An option without a value. */
export const flag = (hint: string): Option<boolean> => ({ hint, read: (given) => given.length > 0 });

/** An option with one value of any text. */
export const text = <Fallback extends string | undefined>(
  value: string,
  hint: string,
  fallback: Fallback,
): Option<string | Fallback> => ({ value, hint, read: (given) => given.at(-1) ?? fallback });

/** An option with a whole number above 0; with `fallback` 0, also 0. */
export const count = <Fallback extends number | undefined>(
  value: string,
  hint: string,
  fallback: Fallback,
): Option<number | Fallback> => ({
  value,
  hint,
  read: ([given], name) => {
    const limit = fallback === 0 ? "" : " above 0";
    if (given !== undefined && (!/^\d+$/.test(given) || (limit !== "" && Number(given) === 0)))
      throw new TypeError(`Expected a whole number${limit} for ${name}, got "${given}".`);
    return given === undefined ? fallback : Number(given);
  },
});

/** An option that can be given several times and selects from some names; returns them in their own order, all by default. */
export const select = <Name extends string>(
  value: string,
  all: readonly Name[],
  hint = "only this one",
): Option<readonly Name[]> => ({
  value,
  isList: true,
  hint: `${hint}; can be given several times: ${all.join(", ")}`,
  read: (given, name) => {
    const unknown = given.find((one) => !all.some((known) => known === one));
    if (unknown !== undefined) throw new TypeError(`${name} ${unknown}: there is only ${all.join(", ")}`);
    return given.length === 0 ? all : all.filter((one) => given.includes(one));
  },
});

/** The option `--only`. */
export const only = <Name extends string>(value: string, all: readonly Name[], hint?: string) => ({
  ...select(value, all, hint),
  name: "only",
});

/** The flag `--quick`, which selects the smaller of two plans. */
export const quickOr = <Plan>(full: Plan, quick: Plan, hint: string): Option<Plan> => ({
  name: "quick",
  hint,
  read: (given) => (given.length > 0 ? quick : full),
});

/** The option `--cpu-prof`: a folder for CPU profiles. */
export const cpuProfiles = (hint: string): Option<string | undefined> => ({
  name: "cpu-prof",
  ...text("folder", hint, undefined),
});

const nameOf = (key: string, { name = key }: Option<unknown>): string => name;

/** Reads a command line; `undefined` when it asks for help. Throws a `TypeError` that names the problem. */
export function readArguments<Of extends Options>(options: Of, args: readonly string[]): Values<Of> | undefined {
  const entries = Object.entries(options);
  const known = entries.map(([key, option]) => {
    const type = option.value === undefined ? "boolean" : "string";
    return [nameOf(key, option), { type, multiple: true }] as const;
  });
  const config = { ...Object.fromEntries(known), help: { type: "boolean", multiple: true } as const };
  const values: Readonly<Record<string, unknown>> = parseArgs({ args: [...args], options: config }).values;
  if (values["help"] !== undefined) return undefined;
  const read = entries.map(([key, option]) => {
    const name = nameOf(key, option);
    const given = ((values[name] ?? []) as readonly unknown[]).map(String);
    return [key, option.read(given, `--${name}`)];
  });
  return Object.fromEntries(read) as Values<Of>;
}

/** The synopsis and the list of options of a help text. */
export function describeOptions(options: Options): { readonly synopsis: string; readonly list: string } {
  const entries = Object.entries(options).map(([key, option]) => {
    const value = option.value === undefined ? "" : ` <${option.value}>`;
    return { ...option, form: `--${nameOf(key, option)}${value}` };
  });
  const width = Math.max(...entries.map(({ form }) => form.length));
  const lines = [...entries, { form: "--help", hint: "this text" }].map(
    ({ form, hint }) => `  ${form.padEnd(width)}  ${hint.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}`,
  );
  const shown = entries.map(({ form, isList, isRequired }) => (isRequired ? form : `[${form}]${isList ? "..." : ""}`));
  return { synopsis: shown.join(" "), list: lines.join("\n") };
}
