/** The position and the reason of a JSON error. */
export interface JsonError {
  /** Index of the first wrong character; the text's length when it ends too early. */
  offset: number;
  /** A plain sentence. */
  problem: string;
}

const SPACE = /[ \t\n\r]*/y;
/** A string up to its closing quote, or to its first wrong character. */
const OPEN_STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;
const STRING = new RegExp(`${OPEN_STRING.source}"`, "y");
/** A sign, a number or a word. */
const OTHER = /[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

const SENTENCES = {
  value: "a value is missing here",
  "value or ]": "a value or `]` is missing here",
  key: "a name in double quotes is missing here",
  "key or }": "a name in double quotes or `}` is missing here",
  colon: "a `:` is missing here, between a name and its value",
  "comma or end": "a comma, or the end of the list or object, is missing here",
  nothing: "the text continues after the end of the JSON",
} as const;

type Expected = keyof typeof SENTENCES;

/**
 * Returns the first error by the grammar of RFC 8259; `undefined` exactly when `JSON.parse` accepts the text. The
 * engine's own messages don't always have a position and are not for end users. Linear time, no recursion.
 */
export function findJsonError(text: string): JsonError | undefined {
  const open: string[] = [];
  let expected: Expected = "value";
  let at = endOf(SPACE, text, 0);
  while (at < text.length) {
    const end = endOf(text[at] === '"' ? STRING : OTHER, text, at);
    const next = follow(text.slice(at, end), expected, open);
    if (next === undefined) return errorAt(text, at, expected);
    expected = next;
    at = endOf(SPACE, text, end);
  }
  if (expected === "nothing") return undefined;
  const missing =
    open.length === 0 ? "" : `; ${open.length} \`{\` or \`[\` ${open.length === 1 ? "is" : "are"} not closed`;
  return { offset: text.length, problem: `the text ends too early${missing}` };
}

/** Returns where a match at this index ends; the index itself without one. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns what must follow a token; `undefined` when the token is wrong here. Keeps `open`, the lists and objects around it. */
function follow(token: string, expected: Expected, open: string[]): Expected | undefined {
  const inside = open.at(-1);
  if (token === "}" || token === "]") {
    const closes = inside === (token === "}" ? "{" : "[");
    if (!closes || (expected !== "comma or end" && !expected.endsWith(token))) return undefined;
    open.pop();
  } else if (expected === "colon") {
    return token === ":" ? "value" : undefined;
  } else if (expected === "comma or end") {
    return token === "," ? (inside === "{" ? "key" : "value") : undefined;
  } else if (expected.startsWith("key")) {
    return token.startsWith('"') ? "colon" : undefined;
  } else if (expected === "nothing" || !/^["{[\-\dtfn]/.test(token)) {
    return undefined;
  } else if (token === "{" || token === "[") {
    open.push(token);
    return token === "{" ? "key or }" : "value or ]";
  }
  return open.length === 0 ? "nothing" : "comma or end";
}

function errorAt(text: string, at: number, expected: Expected): JsonError {
  if (expected === "colon" || expected === "nothing") return { offset: at, problem: SENTENCES[expected] };
  if (text[at] !== '"' || expected === "comma or end") {
    return { offset: at, problem: hint(text, at) ?? SENTENCES[expected] };
  }
  const offset = endOf(OPEN_STRING, text, at);
  if (offset === text.length) {
    return { offset, problem: "the text ends inside a string: a closing double quote is missing" };
  }
  return text[offset] === "\\"
    ? { offset, problem: "this escape does not exist; write a backslash as `\\\\`" }
    : { offset, problem: "a string contains a line break, tab or control character; write it as `\\n` or `\\t`" };
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
