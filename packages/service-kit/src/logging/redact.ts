import { types } from "node:util";
import { hidden, hideSecrets, isSecretHeader, readMemberName, type MemberName } from "./secrets.ts";

/** Limits of a copied value. A note replaces the rest. */
export interface RedactLimits {
  /** Nesting levels (default 8). */
  readonly depth?: number;
  /** Members of an object, items of an array (default 100). */
  readonly width?: number;
  /** Total values and UTF-16 units of text (default 32,000). */
  readonly total?: number;
  /** UTF-16 units of one string (default 4,000). */
  readonly text?: number;
  /** Whether errors that quote others keep their message (default true). */
  readonly quotes?: boolean;
}

interface Walk {
  readonly limits: Required<RedactLimits>;
  /** The objects around the current value, outermost first. */
  readonly above: object[];
  left: number;
}

const defaults: Required<RedactLimits> = { depth: 8, width: 100, total: 32_000, text: 4_000, quotes: true };

/** Searched beyond the limit, so that a token that crosses it is found. */
const margin = 4_096;

/**
 * Copies any value into plain JSON data that is safe to show. Hides members with a secret name, and tokens in every string, name and error
 * text; bounds the size. Errors become `{name, message, stack, kind, code, cause, errors}`. Never throws, whatever the value does when it
 * is read, and calls no `toJSON`.
 */
export function redact(value: unknown, limits?: RedactLimits): unknown {
  const all = limits === undefined ? defaults : { ...defaults, ...limits };
  return copy(value, { limits: all, above: [], left: all.total });
}

function copy(value: unknown, walk: Walk): unknown {
  walk.left -= 1;
  if (walk.left < 0) return "[left out]";
  switch (typeof value) {
    case "string":
      return safeText(value, walk);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
    case "symbol":
      return safeText(String(value), walk);
    case "function":
      return "[function]";
    case "object":
      return value === null ? null : guarded(copyObject, value, walk);
    case "boolean":
    case "undefined":
      break;
  }
  return value;
}

/** Getters, proxies and subclasses can throw on any access. */
function guarded<First, Second>(
  read: (first: First, second: Second) => unknown,
  first: First,
  second: Second,
): unknown {
  try {
    return read(first, second);
  } catch {
    return "[unreadable]";
  }
}

function copyObject(value: object, walk: Walk): unknown {
  if (walk.above.includes(value)) return "[circular]";
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
  if (value instanceof URL) return safeText(value.href, walk);
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return `[${value.byteLength} bytes]`;
  if (walk.above.length >= walk.limits.depth) return Array.isArray(value) ? "[array]" : "[object]";
  walk.above.push(value);
  try {
    if (Array.isArray(value)) return copyItems(value, value.length, walk);
    if (types.isSet(value)) return copyItems(value, value.size, walk);
    if (types.isMap(value)) return copyMap(value, walk);
    if (Error.isError(value) || value instanceof Error) return copyError(value, walk);
    const names = Object.keys(value);
    return copyMembers({ names, length: names.length, read: (name) => value[name as never] }, walk);
  } finally {
    walk.above.pop();
  }
}

function copyItems(items: Iterable<unknown>, length: number, walk: Walk): unknown[] {
  const copies: unknown[] = [];
  let before: unknown;
  for (const item of items) {
    if (copies.length >= walk.limits.width || walk.left <= 0) {
      copies.push(`[${length - copies.length} more left out]`);
      break;
    }
    copies.push(typeof item === "string" && isSecretHeader(before) ? hidden : copy(item, walk));
    before = item;
  }
  return copies;
}

/** `names`: the first ones, at most the width, of `length`. */
function copyMembers(
  {
    names,
    length,
    read,
  }: {
    readonly names: readonly string[];
    readonly length: number;
    readonly read: (name: string, index: number) => unknown;
  },
  walk: Walk,
): Record<string, unknown> {
  const copies: Record<string, unknown> = {};
  let index = 0;
  for (const name of names) {
    if (index >= walk.limits.width || walk.left <= 0) {
      copies["…"] = `[${length - index} more left out]`;
      break;
    }
    const member = readMemberName(name);
    walk.left -= member.shown.length;
    const value = copyMember(member, guarded(read, name, index), walk);
    // Assigning this name would set the prototype.
    if (member.shown === "__proto__") Object.defineProperty(copies, member.shown, { value, enumerable: true });
    else copies[member.shown] = value;
    index += 1;
  }
  return copies;
}

/** Reads the map itself: a subclass may override its entries with an endless iterator. */
function copyMap(map: Map<unknown, unknown>, walk: Walk): Record<string, unknown> {
  const entries = [...Map.prototype.entries.call(map).take(walk.limits.width + 1)];
  const names = entries.map(([key]) => String(redact(key, { depth: 0 })));
  return copyMembers({ names, length: map.size, read: (_name, index) => entries[index]?.[1] }, walk);
}

/** Booleans and null are never secret. Numbers can be, except token counts. */
function copyMember({ secret, counts }: MemberName, value: unknown, walk: Walk): unknown {
  const shown = value === undefined || value === null || typeof value === "boolean";
  if (shown || !secret || (typeof value === "number" && counts)) return copy(value, walk);
  return hidden;
}

const errorMembers = ["name", "message", "stack", "kind", "code", "cause", "errors"];

/** Errors of libraries whose message quotes what came from outside: of JSON, of schemas, of models and MCP servers, and of values of a database. */
const quoting = /^(SyntaxError|AI_\w+|Mcp\w*|\$?Zod\w*|(22|23)\w{3})$/;

/** Whether an error's message has the words of others. Our own errors say so by a member. */
function quotesOthers(error: object): boolean {
  const { quotesOthers: quotes, name, code } = error as { quotesOthers?: unknown; name?: unknown; code?: unknown };
  return quotes === true || quoting.test(String(name)) || quoting.test(String(code));
}

function copyError(error: object, walk: Walk): Record<string, unknown> {
  const hides = !walk.limits.quotes && quotesOthers(error);
  const read = (name: string): unknown => {
    const value: unknown = error[name as never];
    if (!hides || typeof value !== "string") return value;
    if (name === "message") return "[left out: LOG_CONTENT is off]";
    return name === "stack"
      ? value
          .split("\n")
          .filter((line) => /^ {4}at /.test(line))
          .join("\n")
      : value;
  };
  const copied = copyMembers({ names: errorMembers, length: errorMembers.length, read }, walk);
  return Object.fromEntries(Object.entries(copied).filter(([, value]) => value !== undefined));
}

/** Where the last run of characters begins that no space and no quote interrupts. */
const startOfLastWord = (text: string): number =>
  Math.max(...[" ", "\n", '"', "'", "\\"].map((end) => text.lastIndexOf(end))) + 1;

function safeText(text: string, walk: Walk): string {
  const limit = walk.limits.text;
  const read = hideSecrets(text.slice(0, limit + margin));
  // The cut can make the last word a secret that is not recognized, and decoding can move it below the limit.
  const safe = text.length > limit + margin ? read.slice(0, startOfLastWord(read)) : read;
  walk.left -= Math.min(safe.length, limit);
  if (text.length <= limit) return safe;
  const start = safe.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "");
  return `${start}… [cut, ${text.length} characters in all]`;
}
