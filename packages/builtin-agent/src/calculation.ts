import { createRequire } from "node:module";
import type * as Mathjs from "mathjs";
import type { BigNumber, FactoryFunctionMap, MathJsInstance } from "mathjs";
import { UserMistake } from "./skill.ts";

let made: MathJsInstance | undefined;

/**
 * Decimals with 64 digits, and an expression parser that executes nothing. The evaluator of mathjs is excluded
 * on purpose: it can loop, allocate and import. Made on first use, which takes 80 ms.
 */
export function math(): MathJsInstance {
  if (made !== undefined) return made;
  // The package's single-file build. The module build takes eight times as long and 100 MB of memory.
  const { all, create } = createRequire(import.meta.url)("mathjs/lib/browser/math.js") as {
    all: FactoryFunctionMap;
    create: typeof Mathjs.create;
  };
  made = create(all, { number: "BigNumber", precision: 64 });
  return made;
}

/** Whole numbers with more digits are not exact. */
const REMAINDER_DIGITS = 60;

interface MathFunction {
  /** Fewest and most arguments. */
  takes: readonly [number, number];
  apply: (first: BigNumber, second: BigNumber, all: readonly BigNumber[]) => BigNumber;
}

const one = (apply: (value: BigNumber) => BigNumber): MathFunction => ({ takes: [1, 1], apply });
const two = (apply: (first: BigNumber, second: BigNumber) => BigNumber): MathFunction => ({ takes: [2, 2], apply });
const many = (apply: (left: BigNumber, right: BigNumber) => BigNumber): MathFunction => ({
  takes: [1, 100],
  apply: (_first, _second, all) => all.reduce(apply),
});

/** Functions by name, and operators by the name that mathjs gives them. */
const functions: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ["unaryMinus", one((x) => x.negated())],
  ["unaryPlus", one((x) => x)],
  ["add", two((x, y) => x.plus(y))],
  ["subtract", two((x, y) => x.minus(y))],
  ["multiply", two((x, y) => x.times(y))],
  ["divide", two(quotient)],
  ["pow", two((x, y) => x.pow(y))],
  ["mod", two(remainder)],
  ["percent", one((x) => x.dividedBy(100))],
  ["sqrt", one((x) => x.sqrt())],
  ["abs", one((x) => x.abs())],
  ["floor", one((x) => x.floor())],
  ["ceil", one((x) => x.ceil())],
  ["round", one((x) => x.round())],
  ["min", many((left, right) => (right.lt(left) ? right : left))],
  ["max", many((left, right) => (right.gt(left) ? right : left))],
]);

/** All names in calculations, which distinguish them from other text. */
export const VOCABULARY: ReadonlySet<string> = new Set(functions.keys());

/**
 * Calls a function or an operator. Throws `UserMistake` for an unknown name, a wrong number of arguments or a value
 * outside its domain.
 */
export function call(name: string, args: readonly BigNumber[]): BigNumber {
  const found = functions.get(name);
  if (found === undefined) throw new UserMistake("That calculation uses something I don't know.");
  const [fewest, most] = found.takes;
  const [first, second = math().bignumber(1)] = args;
  if (first === undefined || args.length < fewest || args.length > most) {
    const wanted = fewest === most ? String(fewest) : `${fewest} to ${most}`;
    throw new UserMistake(`\`${name}\` takes ${wanted} number${most === 1 ? "" : "s"}, but got ${args.length}.`);
  }
  return found.apply(first, second, args);
}

function quotient(left: BigNumber, right: BigNumber): BigNumber {
  if (right.isZero()) throw new UserMistake("Division by zero has no result.");
  return left.dividedBy(right);
}

/** The remainder with the sign of the divisor. */
function remainder(left: BigNumber, right: BigNumber): BigNumber {
  if (right.isZero()) throw new UserMistake("Division by zero has no remainder.");
  if (left.e - right.e > REMAINDER_DIGITS)
    throw new UserMistake("Those numbers are too far apart for an exact remainder.");
  const rest = left.mod(right);
  return rest.isZero() || rest.isNegative() === right.isNegative() ? rest : rest.plus(right);
}

/** The reliable digits of a result. The rest of the 64 absorb rounding errors. */
const GOOD_DIGITS = 50;
/** The longest whole number written in full, digits. */
const EXACT_DIGITS = 40;
const ROUNDED_DIGITS = 15;

export interface NumberText {
  /** With commas between thousands from 10,000 on; `1.5 × 10^60` when too long. */
  text: string;
  /** False when digits were omitted. */
  exact: boolean;
}

/** Formats a number: exact when it is whole or short, otherwise rounded to 15 significant digits. */
export function formatNumber(value: BigNumber): NumberText {
  const good = value.toSignificantDigits(GOOD_DIGITS);
  if (good.isZero()) return { text: "0", exact: true };
  const isShort = good.precision() <= (good.isInteger() ? EXACT_DIGITS : ROUNDED_DIGITS + 5);
  const shown = isShort ? good : good.toSignificantDigits(ROUNDED_DIGITS);
  const exact = shown.eq(good);
  if (good.e >= EXACT_DIGITS || good.e < -15) {
    const mantissa = shown.toSignificantDigits(ROUNDED_DIGITS).toExponential();
    const [digits = "", exponent = ""] = mantissa.split("e");
    return { text: `${digits} × 10^${exponent.replace("+", "")}`, exact: exact && shown.precision() <= ROUNDED_DIGITS };
  }
  return { text: grouped(shown.toFixed()), exact };
}

function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const bare = whole.slice(sign.length);
  const withCommas = bare.length < 5 ? bare : BigInt(bare).toLocaleString("en");
  return `${sign}${withCommas}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** Zero to nineteen. */
const SMALL_NUMBERS: readonly string[] =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
/** The word for twenty is at index 2. */
const TENS: readonly string[] = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES =
  "- thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion".split(
    " ",
  );

/**
 * Writes a decimal number such as `-12.5` in English words ("minus twelve point five"), with the short scale: a billion
 * is 10^9. Throws `UserMistake` from 10^36 on and for more than 20 digits after the point.
 */
export function numberInWords(decimal: string): string {
  const [whole = "", fraction = ""] = decimal.replace("-", "").split(".");
  if (whole.length > SCALES.length * 3 || fraction.length > 20) {
    throw new UserMistake("That number is too long to write in words.");
  }
  const sign = decimal.startsWith("-") ? "minus " : "";
  const digits = Array.from(fraction, (digit) => SMALL_NUMBERS[Number(digit)]).join(" ");
  return `${sign}${wholeInWords(whole)}${fraction === "" ? "" : ` point ${digits}`}`;
}

function wholeInWords(digits: string): string {
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) ?? [];
  const words = groups.flatMap((group, index) => {
    const scale = groups.length - 1 - index;
    if (Number(group) === 0) return [];
    return [scale === 0 ? belowThousand(Number(group)) : `${belowThousand(Number(group))} ${SCALES[scale]}`];
  });
  return words.join(" ") || "zero";
}

function belowThousand(number: number): string {
  const hundreds = Math.floor(number / 100);
  const rest = number % 100;
  const words = hundreds > 0 ? [`${SMALL_NUMBERS[hundreds]} hundred`] : [];
  if (rest > 0) words.push(rest < 20 ? String(SMALL_NUMBERS[rest]) : tens(rest));
  return words.join(" ");
}

function tens(number: number): string {
  const unit = number % 10;
  return unit === 0 ? String(TENS[number / 10]) : `${TENS[Math.floor(number / 10)]}-${SMALL_NUMBERS[unit]}`;
}

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
