import type { InputField, InputOption, InputRequest, InputSchema } from "@crosszone/contracts";
import { type JsonObject, recordOf } from "@crosszone/service-kit/json";
import { McpFailure } from "./mcp-failure.ts";
import type { McpAsking } from "./mcp-server.ts";

/** What people see of an elicitation. */
interface ShownForm {
  readonly kind: "form" | "choose" | "text";
  readonly schema?: InputSchema;
  readonly options?: InputOption[];
}

/** A list of which a person selects some. Each of its values is a yes or no of its own in the form. */
interface McpSelection {
  readonly isNeeded: boolean;
  /** The values, by the names of their fields. */
  readonly values: Readonly<Record<string, string>>;
}

/** `field`: the one whose value a choice or text is. `selections`: the lists, by the server's names. */
type McpForm = ShownForm & { readonly field?: string; readonly selections?: Readonly<Record<string, McpSelection>> };

/** The limits of input requests (`schemas/input`). */
const mostOfForm = { fields: 10, options: 25, line: 150, label: 75 };

/** Words for what the specification forbids to ask for in a form. */
const secrets = /pass(word|phrase|code)|secret|credential|(api|access|private)[ _-]?key|token/i;

/**
 * Converts the form of an elicitation; without its default values, so that every answer is a person's. Returns the rest
 * of a sentence when people can't be asked.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export function formOf({ mode, requestedSchema, message }: JsonObject): McpForm | string {
  if ((mode ?? "form") !== "form") return "to be given on a page of its own, which is not supported";
  const { properties, required } = recordOf(requestedSchema);
  const needed = new Set(Array.isArray(required) ? (required as unknown[]) : []);
  const fields = Object.entries(recordOf(properties)).map(([name, field]) => ({ name, ...readField(name, field) }));
  if (typeof message !== "string" || message.trim() === "") return "but did not say for what";
  if (fields.some(({ isSecret }) => isSecret)) return "which seems to be a secret";
  const shown = fields.flatMap((field) => field.shown);
  const isWhole = fields.every((field) => field.shown.length > 0 || !needed.has(field.name));
  const isTwice = new Set(shown.map(({ name }) => name)).size < shown.length;
  if (!isWhole || isTwice || shown.length > mostOfForm.fields || (shown.length === 0 && fields.length > 0))
    return "in a form that can't be shown";
  const [only] = shown;
  if (only === undefined) return { kind: "choose", options: [{ value: "yes", label: "Continue" }] };
  const { name, field } = only;
  if (shown.length > 1 || field.type !== "string") return formWith(fields, needed);
  const { choices = [] } = fields.find((one) => one.name === name) ?? {};
  if (field.enum !== undefined) return { kind: "choose", field: name, options: [...choices] };
  const isPlain = (["format", "minLength", "maxLength"] as const).every((limit) => field[limit] === undefined);
  return isPlain && needed.has(name) ? { kind: "text", field: name } : formWith(fields, needed);
}

interface ReadField {
  readonly name: string;
  /** What people see of it; empty when they can't be shown it. */
  readonly shown: readonly { readonly name: string; readonly field: InputField }[];
  /** Of which a person chooses one. */
  readonly choices?: readonly InputOption[];
  /** The values of a list, by the names of their fields. */
  readonly selected?: McpSelection["values"];
}

function formWith(fields: readonly ReadField[], needed: Set<unknown>): McpForm {
  const shown = fields.flatMap((field) => field.shown);
  const properties = Object.fromEntries(shown.map(({ name, field }) => [name, field]));
  const required = shown.map(({ name }) => name).filter((name) => needed.has(name));
  const lists = fields.flatMap(({ name, selected: values }) =>
    values === undefined ? [] : [[name, { isNeeded: needed.has(name), values }] as const],
  );
  const form: McpForm = { kind: "form", schema: { type: "object", properties, required } };
  return lists.length === 0 ? form : { ...form, selections: Object.fromEntries(lists) };
}

/** Returns what people see of a field, and whether it seems to ask for a secret. */
function readField(name: string, given: unknown): Omit<ReadField, "name"> & { readonly isSecret: boolean } {
  const { type: types, title, description, format, items, ...limits } = recordOf(given);
  const isSecret = [name, title, description, format].some((word) => typeof word === "string" && secrets.test(word));
  const [type, ...others] = [types].flat().filter((one) => one !== "null");
  const choices = choicesOf(recordOf(type === "array" ? items : given));
  const hidden = { shown: [], isSecret };
  if (!/^[\w-]{1,64}$/.test(name) || choices === undefined || others.length > 0) return hidden;
  if (type === "array") return { ...selectionOf(name, { title, description, choices }), isSecret };
  if (!isType(type) || (choices.length > 0 && type !== "string")) return hidden;
  const values = choices.map(({ value }) => value) as [string, ...string[]];
  const field = {
    type,
    title: lineOf(title),
    description: lineOf(description),
    enum: values.length > 0 ? values : undefined,
    format: isFormat(format) ? format : undefined,
    minLength: isLength(limits["minLength"], 0) ? limits["minLength"] : undefined,
    maxLength: isLength(limits["maxLength"], 1) ? limits["maxLength"] : undefined,
    minimum: typeof limits["minimum"] === "number" ? limits["minimum"] : undefined,
    maximum: typeof limits["maximum"] === "number" ? limits["maximum"] : undefined,
  };
  return { shown: [{ name, field }], isSecret, choices };
}

/** Returns a yes or no for each value of a list. */
function selectionOf(
  name: string,
  { title, description, choices }: { title: unknown; description: unknown; choices: readonly InputOption[] },
): Omit<ReadField, "name"> {
  if (choices.length === 0 || choices.length > mostOfForm.fields || name.length > 60) return { shown: [] };
  const shown = choices.map(({ label }, at) => ({
    name: `${name}-${at + 1}`,
    field: {
      type: "boolean" as const,
      title: lineOf(`${lineOf(title) ?? name}: ${label}`),
      description: at === 0 ? lineOf(description) : undefined,
    },
  }));
  const selected = Object.fromEntries(choices.map(({ value }, at) => [`${name}-${at + 1}`, value]));
  return { shown, selected };
}

/** Returns the choices of a field, none for any other field; undefined when they can't be shown. */
function choicesOf({ enum: plain, enumNames, oneOf, anyOf }: JsonObject): InputOption[] | undefined {
  const labels: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  const titled = [oneOf, anyOf].find((one) => Array.isArray(one)) as readonly unknown[] | undefined;
  const named = Array.isArray(plain)
    ? plain.map((value: unknown, at) => ({ value, label: labels[at] }))
    : (titled ?? []).map(recordOf).map(({ const: value, title }) => ({ value, label: title }));
  const choices = named.filter(({ value }) => value !== null && value !== undefined);
  const areTexts = choices.every(
    ({ value }) => typeof value === "string" && value !== "" && value.length <= mostOfForm.label,
  );
  const isTwice = new Set(choices.map(({ value }) => value)).size < choices.length;
  if (!areTexts || choices.length > mostOfForm.options || isTwice) return undefined;
  return (choices as { value: string; label: unknown }[]).map(({ value, label }) => ({
    value,
    label: typeof label === "string" && label !== "" ? label.slice(0, mostOfForm.label).toWellFormed() : value,
  }));
}

const isType = (type: unknown): type is InputField["type"] =>
  ["string", "number", "integer", "boolean"].includes(String(type));

const isFormat = (format: unknown): format is NonNullable<InputField["format"]> =>
  ["email", "uri", "date", "date-time"].includes(String(format));

function lineOf(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  return text.replaceAll(/\s+/g, " ").trim().slice(0, mostOfForm.line).toWellFormed() || undefined;
}

const isLength = (length: unknown, least: number): length is number =>
  Number.isInteger(length) && Number(length) >= least;

export type McpDecision = Pick<InputRequest, "state" | "answer">;

/** An input request for people: what the zone's tasks wait for. */
interface McpQuestion extends ShownForm {
  /** Unique within the task. */
  readonly key: string;
  /** Names the server that asks. */
  readonly title: string;
  readonly body: string;
}

/** How a call continues when people have decided. JSON. */
export interface McpRound {
  readonly number: number;
  /** The server's own, given back as it is. */
  readonly state?: string | undefined;
  /** By the server's keys. A question without a key of ours is not asked. */
  readonly asked: Readonly<Record<string, { readonly key?: string } & Pick<McpForm, "field" | "selections">>>;
  /** Why a question was not asked, in sentences for the model. */
  readonly declined: readonly string[];
}

/** Limits of one call: its rounds, the questions of a round, and characters of the state. */
const most = { rounds: 10, questions: 5, state: 65_536 };
const longest = { title: 150, body: 3_000 };

/**
 * Converts what a server asks during a call. Throws an `McpFailure` for more than people should have to answer. `prefix` begins the keys of a
 * call's questions; `canAsk`: whether there are people who can be asked.
 */
export function elicitedBy(
  { requests, state }: McpAsking,
  call: {
    readonly server: string;
    readonly prefix: string;
    readonly canAsk: boolean;
    readonly before: McpRound | undefined;
  },
): { readonly questions: readonly McpQuestion[]; readonly round: McpRound } {
  const { server, prefix, canAsk, before } = call;
  const number = (before?.number ?? 0) + 1;
  const entries = Object.entries(requests);
  if (number > most.rounds || entries.length > most.questions || (state?.length ?? 0) > most.state)
    throw new McpFailure("it asks too much before it completes a call");
  const declined = before?.declined.slice() ?? [];
  const questions: McpQuestion[] = [];
  const asked = entries.map(([name, request], at): [string, McpRound["asked"][string]] => {
    const { method, params: given } = recordOf(request);
    if (method !== "elicitation/create")
      throw new McpFailure(`it asks for ${JSON.stringify(String(method).slice(0, 50))}`);
    const params = recordOf(given);
    const form = canAsk ? formOf(params) : "but the task has no person to ask";
    if (typeof form === "string") {
      declined.push(`(The server ${server} asked for input, ${form}. The request was declined.)`);
      return [name, {}];
    }
    const { field, selections, ...shown } = form;
    const key = `${prefix}.${number}.${at}`;
    questions.push({ key, ...shown, ...wordsOf(server, params["message"]) });
    return [name, { key, field, selections }];
  });
  return { questions, round: { number, state, asked: Object.fromEntries(asked), declined } };
}

function wordsOf(server: string, message: unknown) {
  const said = String(message).trim();
  const title = `The server ${server} asks: ${said.replaceAll(/\s+/g, " ")}`.slice(0, longest.title).toWellFormed();
  const warning = `The MCP server ${server} gets the answer. Do not enter passwords or keys.`;
  return { title, body: `${said.slice(0, longest.body).toWellFormed()}\n\n${warning}` };
}

/** Returns the answers to a server's questions, by its keys. An unanswered question is declined. */
export function answersTo(
  { asked }: McpRound,
  decided: ReadonlyMap<string, McpDecision>,
): Record<string, Record<string, unknown>> {
  const entries = Object.entries(asked).map(
    ([name, { key = "", field, selections }]): [string, Record<string, unknown>] => {
      const { state, answer } = decided.get(key) ?? {};
      if (state === "answered" && answer?.verdict === "answer") {
        const { value, values = {} } = answer;
        const one = field === undefined ? {} : { [field]: value };
        const content = value === undefined ? withSelections(values, selections) : one;
        return [name, { action: "accept", content }];
      }
      return [name, { action: state === undefined || state === "denied" ? "decline" : "cancel" }];
    },
  );
  return Object.fromEntries(entries);
}

/** Puts the values that people selected where the server asked for lists. */
function withSelections(values: JsonObject, selections: McpForm["selections"] = {}): JsonObject {
  const fields = new Set(Object.values(selections).flatMap((list) => Object.keys(list.values)));
  const others = Object.entries(values).filter(([name]) => !fields.has(name));
  const lists = Object.entries(selections).map(([name, list]) => {
    const selected = Object.entries(list.values).flatMap(([field, value]) => (values[field] === true ? [value] : []));
    return [name, selected.length > 0 || list.isNeeded ? selected : undefined] as const;
  });
  return Object.fromEntries([...others, ...lists.filter(([, selected]) => selected !== undefined)]);
}
