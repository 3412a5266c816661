import type { OperationId } from "@crosszone/contracts/operations";
import type { GivenValues } from "../api/api-client.ts";
import { operationFacts, type Parameter } from "../generated/operations.ts";
import type { CommandOption, CommandOptions } from "./command.ts";
import { pageOptions, rangeOptions, readName, readNumber, readRange } from "./options.ts";
import { type Session, UsageError } from "./session.ts";
import { idOf, kindOf } from "./unknown-names.ts";

/** The values of options, as commander has them. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What people call a parameter where it is not its own name. */
const words: Readonly<Record<string, string>> = { correlation_id: "reference", q: "search" };

/** Returns what people call a parameter: `workflow` for `workflow_id`. */
const wordOf = (name: string): string => words[name] ?? name.replace(/_id$/, "").replaceAll("_", "-");

/** Returns the name by which commander has the option of a parameter: `sideEffects` for `side_effects`. */
const keyOf = (name: string): string => wordOf(name).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Parameters that are the same everywhere, and can be typed in more ways than the API takes them. */
const usual: Readonly<Record<string, CommandOption>> = {
  ...pageOptions,
  since: rangeOptions.since,
  until: rangeOptions.until,
};

/** Whether people can type the value of a parameter. What they see of an id is an operand. */
const isTyped = ({ name, type = "string" }: Parameter): boolean =>
  name !== "id" && name !== "redact" && type !== "object" && type !== "array";

/** Whether a command has an option of its own in the place of a parameter's. */
export const isOwn = ({ name }: Parameter, own: CommandOptions): boolean => keyOf(name) in own;

/** Returns the operands of an operation: the parameters of its path. */
export const operandsOf = (parameters: readonly Parameter[]): Readonly<Record<string, string>> =>
  Object.fromEntries(parameters.flatMap((one) => (one.in === "path" ? [[one.name, `<${wordOf(one.name)}>`]] : [])));

/** Returns the options of parameters and members of a body, those of pages last. */
export const optionsOf = (parameters: readonly Parameter[]): CommandOptions =>
  Object.fromEntries(
    parameters
      .filter(isTyped)
      .toSorted((one, other) => Number(one.name in pageOptions) - Number(other.name in pageOptions))
      .map((one) => [keyOf(one.name), usual[one.name] ?? optionOf(one)]),
  );

function optionOf({ name, says = "", type, names, initial }: Parameter): CommandOption {
  const [what = ""] = says.replaceAll("`", "").split(/ \(true\)|\.(?= |$)/);
  const help = what.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());
  const word = wordOf(name);
  if (type === "boolean") return { flags: `--${word}`, help };
  const values = names === undefined ? "" : `: ${names.join(", ")}`;
  const otherwise = initial === undefined ? "" : ` (default: ${initial})`;
  return { flags: `--${word} <${word}>`, help: `${help}${values}${otherwise}`, names };
}

/** Returns the only values of a parameter. */
export const namesOf = (id: OperationId, name: string): readonly string[] =>
  operationFacts[id].parameters.find((one) => one.name === name)?.names ?? [];

/** The rows of a page, and of all pages the most of each. */
const [usualLimit, mostLimit] = [20, 200];

/** What was typed for the parameters of an operation. */
interface Typed {
  /** The words of the command. */
  readonly command: string;
  /** Operands by parameter: how they are written, and what was typed. */
  readonly operands: ReadonlyMap<string, { readonly written: string; readonly text: string | undefined }>;
  readonly values: OptionValues;
}

/**
 * Returns the values of a request, as they were typed. The beginning of an id becomes the id. Throws a `UsageError` for a value that the
 * operation does not take.
 */
export async function readParameters(
  parameters: readonly Parameter[],
  { command, operands, values }: Typed,
  session: Session,
): Promise<GivenValues> {
  const given: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const one of parameters) {
    const { name, in: where, required = false } = one;
    const operand = operands.get(name);
    const label = operand?.written ?? `--${wordOf(name)}`;
    const typed = operand === undefined ? values[keyOf(name)] : operand.text;
    const isMissing = typed === undefined || (typed === "" && operand === undefined);
    if (isMissing && required && operand === undefined && isTyped(one)) throw new UsageError(`${label} is missing.`);
    const value = isMissing ? undefined : valueOf(one, label, typed);
    const kind = kindOf(operand?.written.replace(/^[<[]|[>\]]$/g, "") ?? wordOf(name), command);
    const whole = typeof value === "string" && where !== "body" ? await idOf(kind, value, session) : value;
    if (whole !== undefined) (where === "body" ? body : given)[name] = whole;
  }
  const takes = (name: string): boolean => parameters.some((one) => one.name === name);
  if (takes("limit")) given["limit"] ??= values["all"] === true ? mostLimit : usualLimit;
  if (takes("since")) Object.assign(given, readRange(textsIn(values)));
  return parameters.some((one) => one.in === "body") ? { ...given, body } : given;
}

const textsIn = (values: OptionValues): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).filter((one): one is [string, string] => typeof one[1] === "string"));

function valueOf(
  { type, names, minimum = 0, maximum }: Parameter,
  label: string,
  typed: OptionValues[string],
): unknown {
  if (typeof typed !== "string") return typed;
  if (names !== undefined) return readName(label, typed, names);
  return type === "integer" ? readNumber(label, typed, [minimum, maximum]) : typed;
}
