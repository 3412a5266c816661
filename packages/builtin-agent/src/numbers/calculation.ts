import { UserMistake } from "../message/skill.ts";
import { VOCABULARY } from "./functions.ts";
import { SMALL_NUMBERS, TENS } from "./number-text.ts";

/** How to write a result. */
export type Notation = "decimal" | "percent" | "words";

export interface Calculation {
  /** The calculation, without the words around it. */
  asked: string;
  /** Input of `evaluate`. */
  expression: string;
  /** Undefined when the person requested none. */
  notation?: Notation;
}

const ASKING =
  /^(?:what(?:['’]?s| is| are)|how much (?:is|are)|calculate|calc|compute|evaluate|work out|solve|convert|the result of)(?![a-z])\s*/;
const NUMBER = String.raw`\d+(?:\.\d+)?`;

/** Everyday words and signs with their operators, applied in this order. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/[−–—]/g, "-"],
  [/[×·∙⋅]/g, "*"],
  [/\*\*/g, "^"],
  [/÷/g, "/"],
  [/²|\bsquared\b/g, "^2"],
  [/³|\bcubed\b/g, "^3"],
  [new RegExp(String.raw`(?:√|(?:the )?square root of)\s*(${NUMBER})`, "g"), "sqrt($1)"],
  [/√|(?:the )?square root of(?=\s*\()/g, "sqrt"],
  [/(\d)\s*x\s*(?=[\d(.])/g, "$1*"],
  [/\b(?:raised )?to the power(?: of)?\b/g, "^"],
  [/\b(?:multiplied by|times)\b/g, "*"],
  [/\b(?:divided by|over)\b/g, "/"],
  [/\bplus\b/g, "+"],
  [/\bminus\b/g, "-"],
  [/\bper ?cent\b/g, "%"],
  [new RegExp(String.raw`^(${NUMBER})\s*% off (.+)$`), "($2)-percent($1)"],
  [/%\s*of\b/g, "/100*"],
  [new RegExp(String.raw`(${NUMBER})\s*%(?=\s*(?:[-+*/^),]|$))`, "g"), "percent($1)"],
];

const NUMBER_WORD = new RegExp(
  `\\b(?:(?:${TENS.slice(2).join("|")})(?:[- ](?:${SMALL_NUMBERS.slice(1, 10).join("|")}))?|${SMALL_NUMBERS.join("|")})\\b`,
  "g",
);
const PLAIN_NUMBER = /^[-+]?[\d.,]+(?:e[-+]?\d+)?$/;

/**
 * Parses a phrase as arithmetic: formulas, and natural forms such as `12% of 340` or `2+2 in words`. `undefined` when
 * the phrase is something else. Throws `UserMistake` for arithmetic in an ambiguous form.
 */
export function toCalculation(phrase: string): Calculation | undefined {
  let asked = phrase.toLowerCase();
  while (ASKING.test(asked)) asked = asked.replace(ASKING, "");
  const { text, notation } = splitNotation(asked.replace(/^=|=$/g, "").trim());
  const digits = withDigits(text);
  let expression = withoutThousands(digits);
  for (const [pattern, replacement] of REWRITES) expression = expression.replace(pattern, replacement);
  const isCalculation = !PLAIN_NUMBER.test(digits) && /[-+*/^%(a-z]/.test(expression);
  if (!isArithmetic(expression) || (!isCalculation && notation === undefined)) return undefined;
  if (expression.includes(",") && !/[a-z]\(/.test(expression)) {
    throw new UserMistake(
      "Please write decimals with a point, as in `1.5`. The comma is for thousands, as in `1,500`.",
    );
  }
  if (/%\s*[-+]/.test(expression)) {
    throw new UserMistake("Please write the percent sign right after its number, as in `200 + 10%`.");
  }
  return { asked: text, expression, notation };
}

function splitNotation(asked: string): { text: string; notation?: Notation } {
  const share = /^what (?:per ?cent|percentage|%) of (.+) is (.+)$/.exec(asked);
  if (share !== null) return { text: `(${share[2]})/(${share[1]})`, notation: "percent" };
  const [, text = "", notation] = /^(.+?),? (?:in|as|to|into) (decimal|percent|words)$/.exec(asked) ?? [];
  return notation === undefined ? { text: asked } : { text, notation: notation as Notation };
}

/** Replaces `five` and `forty-two` by 5 and 42. */
function withDigits(text: string): string {
  return text.replace(NUMBER_WORD, (words) => {
    const values = words.split(/[- ]/).map((word) => Math.max(TENS.indexOf(word) * 10, SMALL_NUMBERS.indexOf(word)));
    return String(values.reduce((sum, value) => sum + value, 0));
  });
}

/** Replaces `1,234.5` by 1234.5, but only where a comma can't separate arguments of a function. */
function withoutThousands(text: string): string {
  return /[a-z]\s*\(/.test(text) ? text : text.replace(/(\d),(?=\d{3}(?!\d))/g, "$1");
}

function isArithmetic(expression: string): boolean {
  if (!/^[\sa-z\d.,()+\-*/^%]+$/.test(expression) || !/\d|^\(+/.test(expression)) return false;
  if (/\b(?:min|max)(?! ?\()/.test(expression)) return false;
  const words = expression.replace(/(?<![a-z])\d[\d.]*e[-+]?\d+/g, "1").match(/[a-z]+\d*/g) ?? [];
  return words.every((word) => VOCABULARY.has(word));
}
