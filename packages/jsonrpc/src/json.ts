/** The bytes that give JSON its structure. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

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

const number = /[ \t\n\r]*(-?\d[\d.eE+-]*)/y;

/**
 * Returns the text of each request's numeric `id`, by position in the batch, or at 0 for a single request. A JavaScript number can't
 * represent every JSON number (9007199254740993, 1e999), so the response echoes the text. `text` must be valid JSON. Of several `id`
 * members the last counts, as with JSON.parse. One pass, no recursion.
 */
export function numericIdTexts(text: string, isBatch: boolean): (string | undefined)[] {
  const memberDepth = isBatch ? 2 : 1;
  const texts: (string | undefined)[] = [];
  let depth = 0;
  let entry = 0;
  let key = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (depth === memberDepth) key = text.slice(at, end + 1);
      at = end;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) depth--;
    else if (code === comma && depth === memberDepth - 1) entry++;
    else if (code === colon && depth === memberDepth && isId(key)) {
      number.lastIndex = at + 1;
      texts[entry] = number.exec(text)?.[1];
    }
  }
  return texts;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((end - escapes) % 2 === 0) return end;
  }
}

/** The member name may contain escapes, such as `"\u0069d"`. */
function isId(key: string): boolean {
  return key === '"id"' || (key.includes("\\") && JSON.parse(key) === "id");
}
