import { zoneMethods } from "@crosszone/contracts";

/** Limits of a zone. */
export interface OracleLimits {
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
export interface Id {
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
    if (textDepth(bytes) > maxDepth) return error(-32600, "invalid_request");
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

/** Returns the depth of brackets outside of strings, even if the text is not JSON. */
function textDepth(bytes: Uint8Array): number {
  let [depth, deepest, inString, escaped] = [0, 0, false, false];
  for (const character of Buffer.from(bytes).toString("latin1")) {
    if (escaped) escaped = false;
    else if (inString && character === "\\") escaped = true;
    else if (character === '"') inString = !inString;
    else if (!inString && "[{".includes(character)) deepest = Math.max(deepest, (depth += 1));
    else if (!inString && "]}".includes(character)) depth -= 1;
  }
  return deepest;
}
