import type { InputField, InputOption, InputSchema } from "@crosszone/contracts";
import { isObject, type JsonObject } from "@crosszone/service-kit/json";

/** What people see of an elicitation. */
export interface McpForm {
  readonly kind: "form" | "choose" | "text";
  readonly schema?: InputSchema;
  readonly options?: InputOption[];
  /** The field whose value a choice or text is. */
  readonly field?: string;
}

/** The limits of input requests (`schemas/input`). */
const most = { fields: 10, options: 25, line: 150, label: 75 };

/** Words for what the specification forbids to ask for in a form. */
const secrets = /pass(word|phrase|code)|secret|credential|(api|access|private)[ _-]?key|token/i;

/**
 * Converts the form of an elicitation; without its default values, so that every answer is a person's. Returns the rest
 * of a sentence when people can't be asked.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export function formOf({ mode = "form", requestedSchema, message }: JsonObject): McpForm | string {
  if (mode !== "form") return "to be given on a page of its own, which is not supported";
  const { properties, required = [] } = recordOf(requestedSchema);
  const fields = Object.entries(recordOf(properties)).map(([name, field]) => ({ name, ...readField(name, field) }));
  if (typeof message !== "string" || message.trim() === "") return "but did not say for what";
  if (fields.some(({ isSecret }) => isSecret)) return "which seems to be a secret";
  const needed = new Set(Array.isArray(required) ? (required as unknown[]) : []);
  const shown = fields.flatMap(({ name, field }) => (field === undefined ? [] : [{ name, field }]));
  const isWhole = fields.every(({ name, field }) => field !== undefined || !needed.has(name));
  if (!isWhole || shown.length > most.fields || (shown.length === 0 && fields.length > 0))
    return "in a form that can't be shown";
  const [only] = shown;
  if (only === undefined) return { kind: "choose", options: [{ value: "yes", label: "Continue" }] };
  const { name, field } = only;
  if (shown.length > 1 || field.type !== "string") return formWith(shown, needed);
  if (field.enum !== undefined) return { kind: "choose", field: name, options: optionsOf(name, requestedSchema) };
  const isPlain = ["format", "minLength", "maxLength"].every((limit) => !(limit in field));
  return isPlain && needed.has(name) ? { kind: "text", field: name } : formWith(shown, needed);
}

function formWith(
  shown: readonly { readonly name: string; readonly field: InputField }[],
  needed: Set<unknown>,
): McpForm {
  const properties = Object.fromEntries(shown.map(({ name, field }) => [name, field]));
  const required = shown.map(({ name }) => name).filter((name) => needed.has(name));
  return { kind: "form", schema: { type: "object", properties, required } };
}

interface ReadField {
  /** Undefined when people can't be shown it. */
  readonly field?: InputField;
  readonly isSecret: boolean;
}

function readField(name: string, given: unknown): ReadField {
  const { type, title, description, format, ...limits } = recordOf(given);
  const isSecret = [name, title, description, format].some((word) => typeof word === "string" && secrets.test(word));
  const choices = choicesOf(recordOf(given));
  if (!isType(type) || !/^[\w-]{1,64}$/.test(name) || choices === undefined) return { isSecret };
  if (choices.length > 0 && type !== "string") return { isSecret };
  const values = choices.map(({ value }) => value) as [string, ...string[]];
  const field = {
    type,
    ...lineOf("title", title),
    ...lineOf("description", description),
    ...(values.length > 0 && { enum: values }),
    ...(isFormat(format) && { format }),
    ...(isLength(limits["minLength"], 0) && { minLength: limits["minLength"] }),
    ...(isLength(limits["maxLength"], 1) && { maxLength: limits["maxLength"] }),
    ...(typeof limits["minimum"] === "number" && { minimum: limits["minimum"] }),
    ...(typeof limits["maximum"] === "number" && { maximum: limits["maximum"] }),
  };
  return { field, isSecret };
}

/** Returns the choices of a field, none for any other field; undefined when they can't be shown. */
function choicesOf({ enum: plain, enumNames, oneOf }: JsonObject): InputOption[] | undefined {
  const titled = Array.isArray(oneOf) ? oneOf.map(recordOf) : undefined;
  const values: unknown[] = Array.isArray(plain) ? plain : (titled?.map((one) => one["const"]) ?? []);
  const labels: unknown[] = Array.isArray(enumNames) ? enumNames : (titled?.map(({ title }) => title) ?? []);
  const areTexts = values.every((value) => typeof value === "string" && value !== "" && value.length <= most.label);
  if (!areTexts || values.length > most.options || new Set(values).size < values.length) return undefined;
  return (values as string[]).map((value, at) => {
    const label = labels[at];
    return {
      value,
      label: typeof label === "string" && label !== "" ? label.slice(0, most.label).toWellFormed() : value,
    };
  });
}

const optionsOf = (name: string, schema: unknown): InputOption[] =>
  choicesOf(recordOf(recordOf(recordOf(schema)["properties"])[name])) ?? [];

const isType = (type: unknown): type is InputField["type"] =>
  ["string", "number", "integer", "boolean"].includes(String(type));

const isFormat = (format: unknown): format is NonNullable<InputField["format"]> =>
  ["email", "uri", "date", "date-time"].includes(String(format));

function lineOf(member: string, text: unknown): object {
  const line = typeof text === "string" ? text.replaceAll(/\s+/g, " ").trim().slice(0, most.line).toWellFormed() : "";
  return line === "" ? {} : { [member]: line };
}

const isLength = (length: unknown, least: number): length is number =>
  Number.isInteger(length) && Number(length) >= least;

const recordOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
