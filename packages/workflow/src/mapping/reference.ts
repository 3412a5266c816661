import { JsonTextError, parseExactJson, plainJson, pointerStep } from "@crosszone/contracts/json";

const name = /[A-Za-z0-9_$-]+/y;
const index = /\[\s*(0|[1-9]\d{0,8})\s*\]/y;
const quoted = /\[\s*("(?:[^"\\]|\\.)*"|'[^'\\]*')\s*\]/y;
const space = /\s*/y;

/** Reads the reference that begins with `${` at `start`; `end` is the position after its closing brace. Throws a ReferenceSyntaxError. */
export function readReference(text: string, start: number): { reference: Reference; end: number } {
  let at = start + 2;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const refuse = (message: string): never => {
    throw new ReferenceSyntaxError(message, start);
  };

  take(space);
  const path: (string | number)[] = [
    take(name)?.[0] ?? refuse("a reference begins with a name, such as ${workflow.input}"),
  ];
  for (;;) {
    const number = take(index);
    const key = number ? undefined : take(quoted);
    if (number) path.push(Number(number[1]));
    else if (key) path.push(readKey(key[1] ?? "") ?? refuse('a name in ["…"] is written like a JSON string'));
    else if (text[at] === ".") {
      at++;
      path.push(
        take(name)?.[0] ?? refuse('a dot must be followed by a name; write other names as ["…"], indexes as [0]'),
      );
    } else break;
  }

  take(space);
  let fallback: Reference["fallback"];
  if (text.startsWith("??", at)) {
    const end = endOfValue(text, at + 2);
    fallback = readDefault(text.slice(at + 2, end), refuse);
    at = end;
  }
  if (text[at] !== "}")
    refuse("a reference must end with a brace: ${a.output.b[0]}, or with a default ${a.output ?? 1}");
  at++;
  return { reference: { text: text.slice(start, at), path, fallback }, end: at };
}

function readKey(literal: string): string | undefined {
  if (literal.startsWith("'")) return literal.slice(1, -1);
  const key = plainJson(literal);
  return typeof key === "string" ? key : undefined;
}

function readDefault(text: string, refuse: (message: string) => never): { value: unknown } {
  try {
    return { value: parseExactJson(text) };
  } catch (error) {
    if (!(error instanceof JsonTextError) || error.kind === "not_json")
      return refuse('the default after ?? must be JSON, as in ${a.output ?? "none"}');
    return refuse(`the default after ?? ${error.message}`);
  }
}

/** Returns the position of the brace that closes a reference after a JSON value. Skips braces of the value and of its strings. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" && depth === 0) return at;
    else if (character === "}" || character === "]") depth--;
  }
  return text.length;
}

/** Returns the JSON pointer (RFC 6901) of a path of keys. The empty pointer is the whole document. */
export function toPointer(keys: readonly (string | number)[]): string {
  return keys.map(pointerStep).join("");
}

/** Returns a path as it is written in a reference. */
export function pathText(path: Reference["path"]): string {
  const words = path.map((key) =>
    typeof key === "number" ? `[${key}]` : /^[A-Za-z0-9_$-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
  );
  return words.join("").replace(/^\./, "");
}

export interface Reference {
  /** As written by the author, with its braces. */
  readonly text: string;
  /** Names of members and indexes. The first is the root: `workflow`, `steps`, a step's id or a variable. */
  readonly path: readonly (string | number)[];
  /** Used when the path has no value or null. */
  readonly fallback?: { readonly value: unknown };
}

/** A reference with a syntax error; `at` is its position from the start of the text. */
export class ReferenceSyntaxError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = "ReferenceSyntaxError";
    this.at = at;
  }
}
