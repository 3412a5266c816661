import { types } from "node:util";

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

/** Replacement for a secret. */
const hidden = "[redacted]";

const secretNames =
  /token|secret|passw|passphrase|pwd$|^jwt|authorization|cookie|apikey|signature|credential|(?:private|access|signing|hmac|tls|encryption)key/;

/** A member's name, and what it implies about the value. */
interface MemberName {
  /** The name as shown, at most 200 characters. */
  readonly shown: string;
  /** Whether the value is a secret, in any spelling of the name: `bot_token`, `X-Api-Key`, `clientSecret`. */
  readonly secret: boolean;
  /** Whether a number with this name counts language model tokens: `input_tokens`, `maxTokens`. */
  readonly counts: boolean;
}

/** Caches the few common names. Bounded, because clients can send any name. */
const readNames = new Map<string, MemberName>();

function readMemberName(name: string): MemberName {
  const known = readNames.get(name);
  if (known !== undefined) return known;
  const start = name.slice(0, 4_000);
  const squashed = start.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const read = {
    shown: hideSecrets(start).slice(0, 200).toWellFormed(),
    secret: secretNames.test(squashed),
    counts: /tokens|tokencount/.test(squashed),
  };
  if (readNames.size < 1_000 && name.length <= 60) readNames.set(name, read);
  return read;
}

/** Names of secret headers in lists that alternate names and values. */
const secretHeaders =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[a-z0-9-]{0,30}(?:key|token|secret|signature|credential))$/i;

/** Returns true if an item of a list is the name of a header whose value, the next item, is a secret. */
function isSecretHeader(item: unknown): boolean {
  return typeof item === "string" && item.length < 48 && secretHeaders.test(item);
}

const word = "(?:token|secret|passw(?:or)?d|passphrase|pwd|api[_-]?key|signature|credential|private[_-]?key)";
const mark = `["'\\\\]{0,4}`;

/**
 * Patterns of secrets in text, and their replacements. The order matters: `Bearer …` comes before header lines. Every pattern also matches
 * a token whose end is cut off. None looks back further than its own first letters, so the time is linear in the length of the text.
 */
const patterns: readonly (readonly [RegExp, string | ((found: string, ...groups: string[]) => string)])[] = [
  // Slack tokens, https://docs.slack.dev/authentication/tokens, the task handles that replace them in the other zone, file links, API tokens.
  [/(?:xox[a-z](?:\.xox[a-z])?-|xapp-|cz[hf]_|xz_)[\w%+/=.-]+/gi, hidden],
  // AWS key ids, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html; language model keys.
  [/\b(?:A[KS]IA[A-Z0-9]{12,}|sk-[\w-]{16,})/g, hidden],
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: the URL alone allows posting.
  [/hooks\.slack(?:-gov)?\.com\/[^\s"'\\]+/gi, `hooks.slack.com/${hidden}`],
  // https://www.rfc-editor.org/rfc/rfc7468#section-10, to its end marker or the end of the text.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}KEY-----|$)/g, hidden],
  // https://www.rfc-editor.org/rfc/rfc6750#section-2.1. "bearer" is also a word: a scheme or a header after it is not a token.
  [
    /\bBearer[\s+]{1,5}(?!(?:Bearer|Basic)[\s+]|[\w-]{0,60}(?:authorization|cookie|api-key|-signature)\s{0,3}:)[^\s"'\\,;]+/gi,
    `Bearer ${hidden}`,
  ],
  // https://www.rfc-editor.org/rfc/rfc7617#section-2. "Basic" is also a word: only a value that decodes to `user:password` counts.
  [
    /\bBasic[\s+]{1,5}(?!Basic[\s+])([\w+/-]{4,}={0,2})/gi,
    (found, text = "") => (Buffer.from(text, "base64").toString("latin1").includes(":") ? `Basic ${hidden}` : found),
  ],
  // A JSON Web Token, or any base64url of a JSON object. https://www.rfc-editor.org/rfc/rfc7519
  [/eyJ[\w+/-]{5,}(?:\.[\w-]*){0,4}/g, hidden],
  // The user part of a URL. https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
  [/:\/\/[^\s/@"'\\]+@/g, `://${hidden}@`],
  // Header lines: the whole rest of the line.
  [/(authorization|cookie|api-key|-signature)(["'\\]{0,3}\s{0,3}:\s{0,3}["'\\]{0,3})[^\r\n"'\\]+/gi, `$1$2${hidden}`],
  // JSON and the like inside text: "bot_token": "…", also with the quotes escaped.
  [new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3})"(?:[^"\\\\]|\\\\.)*"?`, "gis"), `$1"${hidden}"`],
  // … where an escaped quote within the secret has more backslashes than the one that ends it.
  [
    new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3})(\\\\{1,3})"(?:[^"\\\\]|(?!\\2")\\\\+"?)*`, "gi"),
    `$1$2"${hidden}`,
  ],
  [new RegExp(`(${word}[\\w-]{0,30}${mark}\\s{0,3}[:=]\\s{0,3})'[^']*'?`, "gi"), `$1'${hidden}'`],
  // Forms and query strings: token=… A number of tokens is no secret: max_tokens=4096.
  [
    new RegExp(`(${word}[\\w-]{0,30}=)([^\\s"'\\\\&,;)\\]}]+)`, "gi"),
    (found, name = "", value = "") => (/^tokens=$/i.test(name) && /^[\d.]+$/.test(value) ? found : name + hidden),
  ],
];

const hint =
  /xox|xapp-|cz[hf]_|xz_|eyj|bearer|basic|:\/\/|hooks\.|authorization|cookie|token|secret|passw|passph|pwd|key|signature|credential|a[ks]ia|sk-|%[0-9a-f]{2}/i;

/** Most logged values are ids. No pattern consists of these characters alone. */
const onlyHex = /^[\da-f-]*$/i;

/**
 * Replaces every recognizable secret in a text: Slack tokens and webhooks, task handles, file links, bearer tokens, JSON Web Tokens, AWS
 * keys, private keys, user and password in a URL, `password=…`. Also finds percent-encoded secrets; the text is then returned decoded.
 */
export function hideSecrets(text: string): string {
  if (onlyHex.test(text) || !hint.test(text)) return text;
  const clean = hideShown(text);
  return clean.includes("%") ? hideEncoded(clean) : clean;
}

function hideShown(text: string): string {
  return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement as string), text);
}

/** Maximum number of percent-encoding layers. */
const mostLayers = 3;

function hideEncoded(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const next = decoded.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll("%", ""), "hex").toString(),
    );
    if (next === decoded) return text;
    decoded = next;
    const clean = hideShown(decoded);
    if (clean !== decoded) return clean.includes("%") ? hideEncoded(clean) : clean;
  }
  return text;
}
