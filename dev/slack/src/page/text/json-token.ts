/** A piece of pretty-printed JSON, with its kind for colouring. */
export interface JsonToken {
  kind: "key" | "string" | "number" | "word" | "plain";
  text: string;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g;

/** Splits a value's indented JSON into tokens; joining them gives exactly that JSON. */
export function jsonTokens(value: unknown): JsonToken[] {
  const json = JSON.stringify(value, undefined, 2) ?? "nothing";
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const found of json.matchAll(token)) {
    if (found.index > end) tokens.push({ kind: "plain", text: json.slice(end, found.index) });
    const [text, string, colon, number] = found;
    tokens.push({
      kind: string === undefined ? (number === undefined ? "word" : "number") : colon ? "key" : "string",
      text,
    });
    end = found.index + text.length;
  }
  if (end < json.length) tokens.push({ kind: "plain", text: json.slice(end) });
  return tokens;
}
