/** What CEL has instead of parts of other languages: the parts, as a pattern of code, and what to write. A word after a dot is a member. */
const advice: readonly (readonly [parts: RegExp, write: string])[] = [
  [/(?<![\w.$])and(?!\w)|(?<!&)&(?!&)/i, "&&"],
  [/(?<![\w.$])or(?!\w)|(?<!\|)\|(?!\|)/i, "||"],
  [/(?<![\w.$])not(\s+in)?(?!\w)/i, "!, as in !(value in list),"],
  [
    /(?<![\w.$])(is(\s+not)?|eq|ne|gte?|lte?|ge|le|xor|between)(?!\w)|[!=]==|<>|[=-]>|=<|[≥≤≠]/i,
    "==, !=, >, >=, < or <=",
  ],
  [/(?<![=!<>]):?=(?![=>~<])/, "=="],
  [/(?<![\w.$])(contains|startsWith|endsWith|includes|like|matches)\s+(?!\w*\()|=~/i, 'text.contains("x")'],
  [
    /(?<=\.)(includes|(start|end)s_?with|(to)?([lL]ow|[uU]pp)er([cC]ase)?)(?=\()/,
    "contains(), startsWith() or lowerAscii()",
  ],
  [/(?<=\.)(any|some|every)(?=\()/, "exists(item, item > 1) or all(item, item > 1)"],
  [/(?<!\w)(len|length|count)(?=\()/, "size()"],
  [/(?<![\w.$])(T(rue|RUE)|F(alse|ALSE)|yes|no|None|nil|N(ull|ULL)|undefined)(?!\w)/, "true, false or null"],
  [/(?<![\w.$])(if|then|else|return)(?!\w)/i, "condition ? value : other"],
  [/\?\?|\?\.|\{[{%]|\$/, "${a.output}, or ${a.output ?? 1}"],
  [/\*\*|\+\+|--|[\^~–—−×÷]/, "+, -, *, / or %"],
  [/\/\*|#|;/, "nothing, or // before a comment"],
  [/[“”„«»‘’`´]/, '" around texts'],
  [/[^\S \t\r\n]|\u200B|\uFEFF/, "a space"],
];

/** References, literals and comments, which can contain anything. */
const notCode = /\$\{[^}]*\}|("""|'''|"|')(?:\\[^]|(?!\1)[^])*(?:\1|$)|\/\/.*/g;

/** Returns one sentence on the first part of an expression that another language has; undefined if there is none. */
export function adviceOn(expression: string, variables: ReadonlySet<string>): string | undefined {
  const code = expression.replaceAll(notCode, (part) => " ".repeat(part.length));
  const [first] = advice
    .flatMap(([parts, write]) => {
      const { 0: found = "", index: at } = parts.exec(code) ?? {};
      return at === undefined || variables.has(found) ? [] : [{ at, found: found.trim() || "another blank", write }];
    })
    .toSorted((a, b) => a.at - b.at);
  return first && `at character ${first.at + 1}, write ${first.write} instead of ${first.found}`;
}
