/** The position and the reason of a JSON error. */
export interface JsonError {
  /** Index of the first wrong character; the text's length when it ends too early. */
  offset: number;
  /** A plain sentence. */
  problem: string;
}

type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end" | "nothing";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const SENTENCES: Readonly<Record<Expected, string>> = {
  value: "a value is missing here",
  "value or ]": "a value or `]` is missing here",
  key: "a name in double quotes is missing here",
  "key or }": "a name in double quotes or `}` is missing here",
  colon: "a `:` is missing here, between a name and its value",
  "comma or end": "a comma, or the end of the list or object, is missing here",
  nothing: "the text continues after the end of the JSON",
};

/**
 * Returns the first error by the grammar of RFC 8259; `undefined` exactly when `JSON.parse` accepts the text. The
 * engine's own messages don't always have a position and are not for end users. Linear time, no recursion.
 */
export function findJsonError(text: string): JsonError | undefined {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const sign = text.charAt(at);
    const inside = open.at(-1);
    if (expected === "nothing") return { offset: at, problem: SENTENCES.nothing };
    if (expected === "colon") {
      if (sign !== ":") return { offset: at, problem: SENTENCES.colon };
      expected = "value";
      at += 1;
    } else if ((sign === "}" || sign === "]") && closes(sign, expected, inside)) {
      open.pop();
      expected = open.length === 0 ? "nothing" : "comma or end";
      at += 1;
    } else if (expected === "comma or end") {
      if (sign !== ",") return { offset: at, problem: hint(text, at) ?? SENTENCES[expected] };
      expected = inside === "{" ? "key" : "value";
      at += 1;
    } else if (expected === "key" || expected === "key or }") {
      if (sign !== '"') return { offset: at, problem: hint(text, at) ?? SENTENCES[expected] };
      const end = endOfString(text, at);
      if (typeof end !== "number") return end;
      expected = "colon";
      at = end;
    } else if (sign === "{" || sign === "[") {
      open.push(sign);
      expected = sign === "{" ? "key or }" : "value or ]";
      at += 1;
    } else {
      const end = endOfScalar(text, at);
      if (end === undefined) return { offset: at, problem: hint(text, at) ?? SENTENCES[expected] };
      if (typeof end !== "number") return end;
      expected = open.length === 0 ? "nothing" : "comma or end";
      at = end;
    }
    at = skipSpace(text, at);
  }
  if (expected === "nothing") return undefined;
  const missing =
    open.length === 0 ? "" : `; ${open.length} \`{\` or \`[\` ${open.length === 1 ? "is" : "are"} not closed`;
  return { offset: text.length, problem: `the text ends too early${missing}` };
}

function closes(sign: "}" | "]", expected: Expected, inside: "{" | "[" | undefined): boolean {
  if (sign === "}") return inside === "{" && (expected === "key or }" || expected === "comma or end");
  return inside === "[" && (expected === "value or ]" || expected === "comma or end");
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text.charAt(at))) at += 1;
  return at;
}

/** Returns the index after a string, number or word; `undefined` when none starts here. */
function endOfScalar(text: string, at: number): number | JsonError | undefined {
  if (text[at] === '"') return endOfString(text, at);
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, at)) return at + word.length;
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  return number === undefined ? undefined : at + number.length;
}

function endOfString(text: string, start: number): number | JsonError {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') return at + 1;
    if (sign < " ") {
      return {
        offset: at,
        problem: "a string contains a line break, tab or control character; write it as `\\n` or `\\t`",
      };
    }
    if (sign !== "\\") continue;
    const escape = /^\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/.exec(text.slice(at, at + 6));
    if (escape === null) return { offset: at, problem: "this escape does not exist; write a backslash as `\\\\`" };
    at += escape[0].length - 1;
  }
  return { offset: text.length, problem: "the text ends inside a string: a closing double quote is missing" };
}

/** Better wording for frequent mistakes. */
function hint(text: string, at: number): string | undefined {
  const sign = text.charAt(at);
  if (sign === "'") return "JSON needs double quotes, not single quotes";
  if ("“”„‘’".includes(sign)) return "this is a curly quote; JSON needs straight double quotes";
  if (sign === "/" || sign === "#") return "JSON has no comments";
  if (sign === "}" || sign === "]") {
    const before = text.slice(Math.max(0, at - 100), at).trimEnd();
    return before.endsWith(",") ? "remove the comma before the closing bracket" : `this \`${sign}\` closes nothing`;
  }
  const word = /^[A-Za-z_$][\w$]{0,20}/.exec(text.slice(at, at + 21))?.[0];
  return word === undefined ? undefined : `\`${word}\` must be in double quotes, or be \`true\`, \`false\` or \`null\``;
}
