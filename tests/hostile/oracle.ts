import { globSync, readFileSync } from "node:fs";
import { zoneMethods, isJsonRpcResponse, isZoneErrorData, type JsonRpcResponse } from "@crosszone/contracts";

/** Limits of a zone. */
interface OracleLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/** The correct answer, determined without the parser under test. */
export type Expected =
  /** An HTTP error whose body is a JSON-RPC error of this code with `id: null`. */
  | { readonly type: "refused"; readonly status: number; readonly code: number }
  /** HTTP 204: notifications have no answer. */
  | { readonly type: "nothing" }
  | { readonly type: "error"; readonly code: number; readonly kind: string; readonly id: Id }
  /** A valid request. Its answer depends on earlier requests. */
  | { readonly type: "called"; readonly method: keyof typeof zoneMethods; readonly params: unknown; readonly id: Id };

/** The id of the answer. `text` is the source text of a number, because JavaScript may round it. */
interface Id {
  readonly value: unknown;
  readonly text: string | undefined;
}

const decoder = new TextDecoder("utf-8", { fatal: true });
const noId: Id = { value: null, text: undefined };
const error = (code: number, kind: string, id: Id = noId): Expected => ({ type: "error", code, kind, id });

/** Returns the correct answer to the body of a valid HTTP request. Z2, Z3 and the limits, in order of precedence. */
export function expectedAnswer(bytes: Uint8Array, { maxBytes, maxDepth }: OracleLimits): Expected {
  if (bytes.length > maxBytes) return { type: "refused", status: 413, code: -32015 };
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    const { deepest, isMatched } = bracketsOf(bytes);
    if (deepest > maxDepth && isMatched) return error(-32600, "invalid_request");
    value = JSON.parse(text);
  } catch {
    return error(-32700, "parse_error");
  }
  const changed = changedMembers(text);
  if (!isRequest(value) || changed.some((name) => name !== "params")) return error(-32600, "invalid_request");
  if (!Object.hasOwn(value, "id")) return { type: "nothing" };
  const id = readId(value.id, text);
  if (changed.length > 0) return error(-32602, "invalid_params", id);
  const method = Object.keys(zoneMethods).find((name) => name === value.method) as keyof typeof zoneMethods | undefined;
  if (method === undefined) return error(-32601, "method_not_found", id);
  const takes = zoneMethods[method].params;
  const sent = Object.hasOwn(value, "params") ? value.params : {};
  const params = takes(sent) ? sent : presentOf(sent);
  if (!takes(params)) return error(-32602, "invalid_params", id);
  if (method === "execute_task" && !isKey(id.value)) return error(-32600, "invalid_request", id);
  return { type: "called", method, params, id };
}

/** Returns the parameters without null members, which readers treat as absent. */
function presentOf(params: unknown): unknown {
  // JSON would convert a number such as 1e400 to null.
  const copy: unknown = structuredClone(params);
  const open = [copy];
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue;
    for (const [name, member] of Object.entries(value))
      if (member !== null) open.push(member);
      else if (!Array.isArray(value)) Reflect.deleteProperty(value, name);
  }
  return copy;
}

interface Request {
  readonly method: string;
  readonly params?: unknown;
  readonly id?: unknown;
}

function isRequest(value: unknown): value is Request {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  const id = members.get("id");
  return (
    members.get("jsonrpc") === "2.0" &&
    typeof members.get("method") === "string" &&
    (!members.has("params") || (typeof members.get("params") === "object" && members.get("params") !== null)) &&
    (!members.has("id") || id === null || ["string", "number"].includes(typeof id))
  );
}

/** Returns whether an id can be the id of `execute_task`, which identifies its task. */
function isKey(id: unknown): boolean {
  return typeof id === "string" ? id.length <= 255 : Math.abs(Number(id ?? Infinity)) <= Number.MAX_SAFE_INTEGER;
}

/** Reads an id with the source text that revivers get. https://tc39.es/proposal-json-parse-with-source/ */
function readId(value: unknown, text: string): Id {
  if (typeof value !== "number") return { value, text: undefined };
  const sources = new Map<unknown, string>();
  let root: unknown;
  function remember(this: unknown, key: string, ...[member, context]: [unknown, { source?: string }]): unknown {
    if (key === "id" && context.source !== undefined) sources.set(this, context.source);
    if (key === "") root = member;
    return member;
  }
  JSON.parse(text, remember as Parameters<typeof JSON.parse>[1]);
  return { value, text: sources.get(root) };
}

/** Returns the member of the message that each value belongs to which JSON.parse changes, for the first 20 of them. */
function changedMembers(text: string): readonly string[] {
  const changed: string[] = [];
  const open: (Set<string> | undefined)[] = [];
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/gs) ?? [];
  let member = "";
  for (const token of tokens)
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token.endsWith(":")) {
      const name = JSON.parse(token.slice(0, -1)) as string;
      if (open.length === 1) member = name;
      if (open.at(-1)?.has(name) === true) changed.push(member);
      open.at(-1)?.add(name);
    } else if (!token.startsWith('"') && isChanged(token) && !(open.length === 1 && member === "id"))
      changed.push(member);
  return changed.slice(0, 20);
}

/** Returns whether a number is written as another one after JSON.parse. A fraction may lose digits that its double has. */
function isChanged(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value)) return true;
  const [digits] = normal(source.replace("-", ""));
  const written = [String(value), ...(normal(source)[1] < 0 ? [value.toPrecision(Math.min(digits.length, 100))] : [])];
  return !written.some((one) => normal(one).join("e") === normal(source).join("e")) || digits.length > 100;
}

/** Returns the digits of a number with its sign, without zeros around them, and their power of ten. */
function normal(number: string): readonly [digits: string, power: number] {
  const [mantissa = "", power = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const all = `${whole}${fraction}`;
  const kept = Array.from(all).findLastIndex((digit) => digit !== "0") + 1;
  const digits = all.slice(0, kept).replace(/^0+/, "");
  const sign = number.startsWith("-") ? "-" : "";
  return [sign + digits, digits === "" ? 0 : Number(power) - fraction.length + all.length - kept];
}

/** Returns the depth of brackets outside of strings, and whether each has its other one, even if the text is not JSON. */
function bracketsOf(bytes: Uint8Array): { readonly deepest: number; readonly isMatched: boolean } {
  const open: string[] = [];
  let [deepest, isMatched, inString, escaped] = [0, true, false, false];
  for (const character of Buffer.from(bytes).toString("latin1")) {
    if (escaped) escaped = false;
    else if (inString && character === "\\") escaped = true;
    else if (character === '"') inString = !inString;
    else if (!inString && "[{".includes(character)) deepest = Math.max(deepest, open.push(character));
    else if (!inString && "]}".includes(character)) isMatched &&= open.pop() === (character === "]" ? "[" : "{");
  }
  return { deepest, isMatched: isMatched && open.length === 0 };
}

export const oracleLimits: OracleLimits = { maxBytes: 1_048_576, maxDepth: 64 };

interface HttpAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** Number of requests for each task id. The same id belongs to the same task, whichever request was first. */
export type Asked = Map<string, number>;

/** Counts a request. Call it before the request is sent. */
export function noteAsked(expected: Expected, asked: Asked): void {
  if (expected.type !== "called" || expected.method !== "execute_task") return;
  const key = JSON.stringify(expected.id.value);
  asked.set(key, (asked.get(key) ?? 0) + 1);
}

/** All texts that an error may have. None has a part of a request besides a number, a path or a stack. */
const sentences =
  /^(is there twice: keep one|is [\d.eE+-]{1,40}…?, which would become (null|[\d.e+-]{1,30}): send it as text|is missing( or names nothing known)?|is empty|is not a known member|must (be|have|NOT have) [\w ",.:<>=/^$()*+?|[\]{}!~\\-]{1,100}|the message (is|has) [\w .,"-]{1,80}|execute_task needs [\w :,]{1,120}|the request id belongs to another task|no fire of this caller has this id|is (not )?the name of (a|another) schedule(: choose another)?|is needed, or \w+, but not both|belongs to cron: [\w ]{1,40}|needs the channel of its thread|has 100 schedules: remove one first|the body is larger than this server accepts|send [\w :,/]{1,60})$/;

/** The sentences of the contract's patterns, read from the schemas: an expression of ours is no part of a request. */
const schemas = new URL("../../schemas/", import.meta.url).pathname;
const patterns = new Set(
  globSync(`${schemas}**/*.schema.json`).flatMap((file) =>
    Array.from(
      readFileSync(file, "utf8").matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g),
      ([, text = ""]) => JSON.parse(text) as string,
    ),
  ),
);
const ofPattern = (message: string): boolean => patterns.has(/^must match pattern "(.*)"$/s.exec(message)?.[1] ?? "");

/** Returns what is wrong with an answer, or undefined. `asked` has the counts of `noteAsked`. */
export function wrongWith(answer: HttpAnswer, expected: Expected, asked: Asked): string | undefined {
  const { status, contentType, body } = answer;
  if (expected.type === "nothing") return status === 204 && body === "" ? undefined : `${status} to a notification`;
  const right = expected.type === "refused" ? expected.status : 200;
  if (status !== right) return `HTTP ${status}, not ${right}`;
  if (contentType !== "application/json") return `the content type ${contentType}`;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return "no JSON";
  }
  if (!isResponse(value)) return "no JSON-RPC response";
  const id = expected.type === "refused" ? { value: null, text: undefined } : expected.id;
  if (!hasId(value, body, id)) return `another id than ${JSON.stringify(id)}`;
  if (!("error" in value)) {
    if (expected.type !== "called") return "a result";
    if (!zoneMethods[expected.method].result(value.result)) return "a result of another shape";
    return undefined;
  }
  const { code, data } = value.error;
  if (!isZoneErrorData(data)) return "an error without its data";
  const wrong = data.problems?.find(({ message }) => !sentences.test(message) && !ofPattern(message));
  if (wrong !== undefined) return `an unknown sentence: ${wrong.message}`;
  if (expected.type === "called") {
    return errorsOfCall(expected, asked).includes(data.kind) ? undefined : `${data.kind} for a good request`;
  }
  if (code !== expected.code) return `${code}, not ${expected.code}`;
  return expected.type === "error" && data.kind !== expected.kind ? `${data.kind}, not ${expected.kind}` : undefined;
}

type Called = Extract<Expected, { type: "called" }>;

/** The errors that a valid request of a method may get. Those of the others are none. */
const errorsOf: Partial<Record<keyof typeof zoneMethods, readonly string[]>> = {
  answer_input: ["input_request_not_found"],
  cancel_task: ["task_not_found"],
  change_schedule: ["invalid_params", "rate_limited"],
  check_token: ["unauthorized"],
  claim_input_request: ["input_request_not_found"],
  get_async_task_result: ["task_not_found"],
  get_input_request: ["input_request_not_found"],
  get_run_change: ["task_not_found"],
  read_task_file: ["task_not_found"],
  take_fire: ["invalid_params"],
};

/** Returns the errors that a valid request may get. */
function errorsOfCall({ method, params, id }: Called, asked: Asked): readonly string[] {
  if (method !== "execute_task" && method !== "save_schedule") return errorsOf[method] ?? [];
  const { agent, fire_id, settings } = params as { agent?: string; fire_id?: string; settings?: { agent?: string } };
  const named = agent ?? settings?.agent;
  if (named !== undefined && named !== "builtin") return ["unknown_agent"];
  const isRepeated = (asked.get(JSON.stringify(id.value)) ?? 0) > 1;
  return settings !== undefined || fire_id !== undefined || isRepeated ? ["invalid_params"] : [];
}

function hasId(answer: { id: unknown }, body: string, { value, text }: Id): boolean {
  return Object.is(answer.id, value) && (text === undefined || body.endsWith(`,"id":${text}}`));
}

/** Returns whether a value is a JSON-RPC response. JavaScript reads the JSON number 1e400 as Infinity, which no validator accepts. */
function isResponse(value: unknown): value is JsonRpcResponse {
  if (typeof value !== "object" || value === null || !("id" in value)) return false;
  const endless = value.id === Infinity || value.id === -Infinity;
  return isJsonRpcResponse(endless ? { ...value, id: 0 } : value);
}
