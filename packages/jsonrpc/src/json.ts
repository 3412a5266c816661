/** The bytes that give JSON its structure. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** Decodes UTF-8 and drops a byte order mark. Throws a `TypeError` for invalid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Encodes text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/**
 * Returns true if a parsed JSON value nests arrays and objects in more than `levels` levels. Never recurses deeper than `levels`, and
 * visits each value once; long strings cost nothing.
 */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && deeperThan(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) {
    const member: unknown = value[key as never];
    if (typeof member === "object" && deeperThan(member, levels - 1)) return true;
  }
  return false;
}

/**
 * Returns true if bytes, read as JSON in UTF-8, open more than `levels` nested arrays and objects. They need not be valid JSON. Stops at
 * the first excess level: JSON.parse would read a megabyte of brackets to its end.
 */
export function opensDeeperThan(bytes: Uint8Array, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      while (++at < bytes.length && bytes[at] !== quote) if (bytes[at] === backslash) at++;
    } else if (byte === openBracket || byte === openBrace) {
      if (++depth > levels) return true;
    } else if (byte === closeBracket || byte === closeBrace) depth--;
  }
  return false;
}

/** Returns an own member of an object, so that `constructor` is undefined in `{}`; undefined for any other value. */
export function ownMember(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, member)
    ? value[member as never]
    : undefined;
}

/**
 * Returns the text of each request's numeric `id`, by position in the batch, or at 0 for a single request. A JavaScript number can't
 * represent every JSON number (9007199254740993, 1e999), so the response echoes the text. `text` must be valid JSON that is not nested deeply.
 */
export function numericIdTexts(text: string): (string | undefined)[] {
  const texts = new Map<unknown, string>();
  const keep = function (this: unknown, ...[key, member, context]: [string, unknown, { readonly source: string }?]) {
    if (key === "id" && typeof member === "number" && context) texts.set(this, context.source);
    return member;
  };
  const value: unknown = JSON.parse(text, keep);
  return [value].flat().map((entry) => texts.get(entry));
}
