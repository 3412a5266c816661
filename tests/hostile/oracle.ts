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
  const isLarge = bytes.length > 65_536;
  if (isLarge && textDepth(bytes) > maxDepth) return error(-32600, "invalid_request");
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return error(-32700, "parse_error");
  }
  if (!isLarge && valueDepth(value) > maxDepth) return error(-32600, "invalid_request");
  if (!isRequest(value)) return error(-32600, "invalid_request");
  if (!Object.hasOwn(value, "id")) return { type: "nothing" };
  const id = readId(value.id, text);
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

function valueDepth(value: unknown): number {
  const isContainer = (one: unknown): one is object => typeof one === "object" && one !== null;
  let depth = 0;
  for (let level = [value].filter(isContainer); level.length > 0; depth += 1)
    level = level.flatMap((one) => Object.values(one).filter(isContainer));
  return depth;
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
