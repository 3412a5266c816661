import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from "./json.ts";

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
