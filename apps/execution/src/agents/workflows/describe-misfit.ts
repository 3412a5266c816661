import { code, codeBlock } from "@crosszone/builtin-agent";
import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { memberForWords, ownMember } from "@crosszone/service-kit/json";
import type { AgentMessage } from "../agent.ts";
import { cameAlong } from "../bridged/bridged-agent.ts";

/**
 * Converts a person's message into a workflow's input: the JSON object in it, also within one code block, or else an
 * object with the text as the member that takes plain words. Adds earlier messages, files and content of others if the schema names `thread`, `attachments`,
 * `others`, `has_quotes` or `unreadable`, and the person doesn't. Throws a `JsonTextError` for an object that is nested more than 64 levels deep, or would change when it is read.
 */
export function workflowInput(
  message: AgentMessage,
  { input_schema }: { readonly input_schema?: WorkflowDefinition["input_schema"] },
): Readonly<Record<string, unknown>> {
  const { text } = message;
  const own = jsonObjectOf(text) ?? { [text.trim() === "" ? "text" : memberForWords(input_schema)]: text };
  const named = propertiesOf(input_schema);
  const added = Object.entries(cameAlong(message)).filter(([name]) => Object.hasOwn(named, name));
  return { ...Object.fromEntries(added), ...own };
}

/** Returns an object schema's schemas of its members. */
export function propertiesOf(schema: WorkflowDefinition["input_schema"]): Readonly<Record<string, unknown>> {
  const properties: unknown = schema?.["properties"];
  return typeof properties === "object" && properties !== null ? (properties as Record<string, unknown>) : {};
}

/** Returns the text without the code block around it. */
function unfenced(text: string): string {
  const whole = text.trim();
  const [, block] = /^```(?:[a-z]{1,12}[ \t]{0,9}\r?\n)?((?:(?!```)[^])*)```$/i.exec(whole) ?? [];
  return block?.trim() || whole;
}

/** Restores JSON whose quotes or spaces a keyboard or editor replaced. The length stays the same. */
function withPlainMarks(json: string): string {
  return withPlainBlanks(json).replaceAll(/[\u201C-\u201F]/g, '"');
}

/** NO-BREAK SPACE indents text pasted from pages and documents. */
const withPlainBlanks = (json: string): string => json.replaceAll("\u00A0", " ");

/** Valid JSON is used unchanged: quotes in its strings are the person's. */
function jsonObjectOf(text: string): Record<string, unknown> | undefined {
  const json = unfenced(text);
  if (!json.startsWith("{")) return undefined;
  for (const candidate of new Set([json, withPlainBlanks(json), withPlainMarks(json)])) {
    try {
      return parseExactJson(candidate) as Record<string, unknown>;
    } catch (error) {
      // The next candidate may be JSON.
      if (!(error instanceof JsonTextError) || error.kind !== "not_json") throw error;
    }
  }
  return undefined;
}

/** Explains to the requester why the workflow can't start with their message, and which input it expects. Markdown. */
export function describeMisfit(
  {
    workflow_id,
    input_schema,
  }: { readonly workflow_id: string; readonly input_schema?: WorkflowDefinition["input_schema"] },
  text: string,
  problems: readonly ParamProblem[],
): string {
  const lines = problems.map(({ pointer, message }) => `- ${placeOf(pointer, input_schema)} ${message}`);
  const json = unfenced(text);
  const error = json.startsWith("{") ? findJsonError(withPlainMarks(json)) : undefined;
  const sample = sampleOf(input_schema);
  return [
    `The workflow ${code(workflow_id)} can't start with this input:`,
    lines.join("\n"),
    error && `Your message looks like JSON but isn't valid: ${error.problem}, at character ${error.offset + 1}.`,
    sample && `It expects a JSON object such as this one:\n${codeBlock(JSON.stringify(sample, null, 2), "json")}`,
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

/**
 * Formats a JSON pointer for people: `/a/b~1c` becomes a.b/c. https://datatracker.ietf.org/doc/html/rfc6901#section-3
 */
const nameOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");

/** Names the place of a problem, also with the title that the input's schema gives its member. */
function placeOf(pointer: string, schema: WorkflowDefinition["input_schema"]): string {
  if (pointer === "") return "the input";
  const name = nameOf(pointer);
  const title = ownMember(ownMember(propertiesOf(schema), name), "title");
  return typeof title === "string" ? `${code(title)} (${code(name)})` : code(name);
}

/** Placeholders for values without an example in the schema. */
const placeholders = new Map(
  Object.entries({ integer: 1, number: 1, boolean: true, array: [], object: {}, null: null }),
);

/**
 * Returns an object with the members that the schema requires, or with all that it names when it requires none;
 * undefined when it names none.
 */
function sampleOf(schema: WorkflowDefinition["input_schema"]): Readonly<Record<string, unknown>> | undefined {
  const named = Object.entries(propertiesOf(schema));
  const required: unknown = schema?.["required"];
  const asked = Array.isArray(required) ? named.filter(([name]) => required.includes(name)) : [];
  const shown = (asked.length > 0 ? asked : named).slice(0, mostMembers);
  return shown.length === 0 ? undefined : Object.fromEntries(shown.map(([name, member]) => [name, valueFor(member)]));
}

const mostMembers = 20;

function valueFor(member: unknown): unknown {
  if (typeof member !== "object" || member === null) return "…";
  const { examples, default: value, enum: choices, type } = member as Readonly<Record<string, unknown>>;
  for (const list of [examples, choices]) if (Array.isArray(list) && list.length > 0) return list[0] as unknown;
  return value ?? (placeholders.has(String(type)) ? placeholders.get(String(type)) : "…");
}

/** The position and the reason of a JSON error. */
interface JsonError {
  /** Index of the first wrong character; the text's length when it ends too early. */
  offset: number;
  /** A plain sentence. */
  problem: string;
}

const SPACE = /[ \t\n\r]*/y;
/** A string up to its closing quote, or to its first wrong character. */
const OPEN_STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;
const STRING = new RegExp(`${OPEN_STRING.source}"`, "y");
/** A sign, a number or a word. */
const OTHER = /[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

const SENTENCES = {
  value: "a value is missing here",
  "value or ]": "a value or `]` is missing here",
  key: "a name in double quotes is missing here",
  "key or }": "a name in double quotes or `}` is missing here",
  colon: "a `:` is missing here, between a name and its value",
  "comma or end": "a comma, or the end of the list or object, is missing here",
  nothing: "the text continues after the end of the JSON",
} as const;

type Expected = keyof typeof SENTENCES;

/**
 * Returns the first error by the grammar of RFC 8259; `undefined` exactly when `JSON.parse` accepts the text. The
 * engine's own messages don't always have a position and are not for end users. Linear time, no recursion.
 */
export function findJsonError(text: string): JsonError | undefined {
  const open: string[] = [];
  let expected: Expected = "value";
  let at = endOf(SPACE, text, 0);
  while (at < text.length) {
    const end = endOf(text[at] === '"' ? STRING : OTHER, text, at);
    const next = follow(text.slice(at, end), expected, open);
    if (next === undefined) return errorAt(text, at, expected);
    expected = next;
    at = endOf(SPACE, text, end);
  }
  if (expected === "nothing") return undefined;
  const missing =
    open.length === 0 ? "" : `; ${open.length} \`{\` or \`[\` ${open.length === 1 ? "is" : "are"} not closed`;
  return { offset: text.length, problem: `the text ends too early${missing}` };
}

/** Returns where a match at this index ends; the index itself without one. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns what must follow a token; `undefined` when the token is wrong here. Keeps `open`, the lists and objects around it. */
function follow(token: string, expected: Expected, open: string[]): Expected | undefined {
  const inside = open.at(-1);
  if (token === "}" || token === "]") {
    const closes = inside === (token === "}" ? "{" : "[");
    if (!closes || (expected !== "comma or end" && !expected.endsWith(token))) return undefined;
    open.pop();
  } else if (expected === "colon") {
    return token === ":" ? "value" : undefined;
  } else if (expected === "comma or end") {
    return token === "," ? (inside === "{" ? "key" : "value") : undefined;
  } else if (expected.startsWith("key")) {
    return token.startsWith('"') ? "colon" : undefined;
  } else if (expected === "nothing" || !/^["{[\-\dtfn]/.test(token)) {
    return undefined;
  } else if (token === "{" || token === "[") {
    open.push(token);
    return token === "{" ? "key or }" : "value or ]";
  }
  return open.length === 0 ? "nothing" : "comma or end";
}

function errorAt(text: string, at: number, expected: Expected): JsonError {
  if (expected === "colon" || expected === "nothing") return { offset: at, problem: SENTENCES[expected] };
  if (text[at] !== '"' || expected === "comma or end") {
    return { offset: at, problem: hint(text, at) ?? SENTENCES[expected] };
  }
  const offset = endOf(OPEN_STRING, text, at);
  if (offset === text.length) {
    return { offset, problem: "the text ends inside a string: a closing double quote is missing" };
  }
  return text[offset] === "\\"
    ? { offset, problem: "this escape does not exist; write a backslash as `\\\\`" }
    : { offset, problem: "a string contains a line break, tab or control character; write it as `\\n` or `\\t`" };
}

/** Better wording for frequent mistakes. */
function hint(text: string, at: number): string | undefined {
  const sign = text.charAt(at);
  if (sign === "'") return "JSON needs double quotes, not single quotes";
  if ("“”„‘’".includes(sign)) return "this is a curly quote; JSON needs straight double quotes";
  if (sign === "/" || sign === "#") return "JSON has no comments";
  if (sign === "}" || sign === "]") {
    const before = text.slice(Math.max(0, at - 100), at).trimEnd();
    return before.endsWith(",") ? "remove the comma before the closing bracket" : `this \`${sign}\` closes nothing`;
  }
  const word = /^[A-Za-z_$][\w$]{0,20}/.exec(text.slice(at, at + 21))?.[0];
  return word === undefined ? undefined : `\`${word}\` must be in double quotes, or be \`true\`, \`false\` or \`null\``;
}
