import { type BuiltinSkill, code, longestPhrase, UserMistake } from "./skill.ts";

/** An exact number: a fraction of whole numbers, the second above zero. `200 + 10%` adds a tenth of 200, as pocket calculators do. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
  readonly isPercentage?: boolean;
}

/** Most digits of either number of a fraction, so that each step is cheap, and most parentheses and signs within each other. */
const [mostDigits, deepest] = [500, 60];

const unreadable = "I can't read that calculation: a number, a sign or a parenthesis is missing or in the wrong place.";
const tooLarge = "The result is too large or too precise for me, or an intermediate value is.";

const digitsOf = (number: bigint): number => number.toString().replace("-", "").length;
const sizeOf = (number: bigint): bigint => (number < 0n ? -number : number);
const divisorOf = (a: bigint, b: bigint): bigint => (b === 0n ? sizeOf(a) : divisorOf(b, a % b));

function fraction(top: bigint, bottom: bigint): Fraction {
  if (bottom === 0n) throw new UserMistake("Division by zero has no result.");
  if (Math.max(digitsOf(top), digitsOf(bottom)) > 2 * mostDigits) throw new UserMistake(tooLarge);
  const divisor = bottom < 0n ? -divisorOf(top, bottom) : divisorOf(top, bottom);
  const [lowest, least] = [top / divisor, bottom / divisor];
  if (Math.max(digitsOf(lowest), digitsOf(least)) > mostDigits) throw new UserMistake(tooLarge);
  return { top: lowest, bottom: least };
}

const added = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
const multiplied = (a: Fraction, b: Fraction): Fraction => fraction(a.top * b.top, a.bottom * b.bottom);
const divided = (a: Fraction, b: Fraction): Fraction => fraction(a.top * b.bottom, a.bottom * b.top);
const negated = (one: Fraction): Fraction => ({ ...one, top: -one.top });

function power(base: Fraction, { top, bottom }: Fraction): Fraction {
  if (bottom !== 1n) throw new UserMistake("I can only raise a number to a whole power.");
  if (sizeOf(top) > 10_000n) throw new UserMistake(tooLarge);
  let result = fraction(1n, 1n);
  for (const bit of sizeOf(top).toString(2)) {
    result = multiplied(result, result);
    if (bit === "1") result = multiplied(result, base);
  }
  return top < 0n ? divided(fraction(1n, 1n), result) : result;
}

/** Reads and evaluates an expression, from the operators that bind least. Throws a `UserMistake` if that is not possible. */
class Expression {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = text.match(/\d+(?:\.\d+)?|\S/g) ?? [];
  }

  value(): Fraction {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw new UserMistake(unreadable);
    return value;
  }

  /** Takes the next token if it is one of these. */
  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at] ?? "";
    return wanted.includes(token) ? this.#tokens[this.#at++] : undefined;
  }

  #sum(): Fraction {
    let left = this.#product();
    for (let sign = this.#take("+", "-"); sign !== undefined; sign = this.#take("+", "-")) {
      const right = this.#product();
      const isOfLeft = right.isPercentage === true && left.isPercentage !== true;
      const change = isOfLeft ? multiplied(left, right) : right;
      const { isPercentage } = left;
      left = {
        ...added(left, sign === "-" ? negated(change) : change),
        isPercentage: isPercentage && right.isPercentage,
      };
    }
    return left;
  }

  #product(): Fraction {
    let left = this.#signed();
    for (let sign = this.#take("*", "/"); sign !== undefined; sign = this.#take("*", "/"))
      left = sign === "/" ? divided(left, this.#signed()) : multiplied(left, this.#signed());
    return left;
  }

  #signed(): Fraction {
    // The parser is recursive: without a limit, the stack would be one.
    if ((this.#depth += 1) > deepest) throw new UserMistake(`That nests more than ${deepest} times. Please split it.`);
    const sign = this.#take("-", "+");
    const value = sign === undefined ? this.#raised() : this.#signed();
    this.#depth -= 1;
    return sign === "-" ? negated(value) : value;
  }

  #raised(): Fraction {
    const base = this.#operand();
    return this.#take("^") === undefined ? base : power(base, this.#signed());
  }

  #operand(): Fraction {
    const isNested = this.#take("(") !== undefined;
    const value = isNested ? this.#sum() : this.#number();
    if (isNested && this.#take(")") === undefined) throw new UserMistake(unreadable);
    return this.#take("%") === undefined ? value : { ...divided(value, fraction(100n, 1n)), isPercentage: true };
  }

  #number(): Fraction {
    const [whole = "", part = ""] = this.#tokens[this.#at++]?.split(".") ?? [];
    if (!/^\d+$/.test(whole)) throw new UserMistake(unreadable);
    return fraction(BigInt(whole + part), 10n ** BigInt(part.length));
  }
}

/** The longest whole number, the longest decimal that is written in full, and the digits of others. */
const [longestWhole, longestDecimal, roundedTo] = [40, 20, 15];

/** Returns a number as text: exact when it is whole or short, otherwise rounded to 15 digits. */
function textOf({ top, bottom }: Fraction): { readonly text: string; readonly isExact: boolean } {
  const size = sizeOf(top);
  const whole = (size / bottom).toString();
  const zeros = size < bottom ? digitsOf(bottom / (size || 1n)) - 1 : 0;
  if (whole.length > longestWhole || zeros > longestDecimal) throw new UserMistake(tooLarge);
  const isExact = (size * 10n ** BigInt(longestDecimal)) % bottom === 0n;
  const places = isExact ? longestDecimal : Math.max(0, roundedTo + zeros - (size < bottom ? 0 : whole.length));
  const rounded = (2n * size * 10n ** BigInt(places) + bottom) / (2n * bottom);
  const digits = rounded.toString().padStart(places + 1, "0");
  const point = digits.length - places;
  const part = digits.slice(point).replace(/0+$/, "");
  // With commas between thousands, from 10,000 on.
  const grouped = point < 5 ? digits.slice(0, point) : BigInt(digits.slice(0, point)).toLocaleString("en");
  return { text: `${top < 0n ? "-" : ""}${grouped}${part && `.${part}`}`, isExact };
}

const ones =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const scales = ["", " thousand", " million", " billion", " trillion"];

/** Returns a decimal such as `-12.5` in English: "minus twelve point five". Throws a `UserMistake` from 10^15 on. */
function inWords(decimal: string): string {
  const [whole = "", part = ""] = decimal.replaceAll(/[-,]/g, "").split(".");
  if (whole.length > 15) throw new UserMistake("That number is too long to write in words.");
  const groups = whole.padStart(15, "0").match(/\d{3}/g) ?? [];
  const said = groups.flatMap((group, index) => {
    const [hundreds, rest] = [Math.floor(Number(group) / 100), Number(group) % 100];
    const above = `${tens[Math.floor(rest / 10)]}-${ones[rest % 10]}`.replace("-zero", "");
    const words = [hundreds > 0 && `${ones[hundreds]} hundred`, rest > 0 && (rest < 20 ? ones[rest] : above)];
    return Number(group) === 0 ? [] : `${words.filter(Boolean).join(" ")}${scales[groups.length - 1 - index]}`;
  });
  const digits = Array.from(part, (digit) => ones[Number(digit)]);
  const words = [said.join(" ") || "zero", ...(digits.length > 0 ? ["point", ...digits] : [])];
  return `${decimal.startsWith("-") ? "minus " : ""}${words.join(" ")}`;
}

const asking = /^(?:what(?:['’]?s| is| are)|how much (?:is|are)|calculate|compute)(?![a-z])\s*/;

/** Words and signs for operators, applied in this order. */
const rewrites: readonly (readonly [RegExp, string])[] = [
  [/(\d),(?=\d{3}(?!\d))/g, "$1"],
  [/[−–]|\bminus\b/g, "-"],
  [/\bplus\b/g, "+"],
  [/\*\*/g, "^"],
  [/[×·]|\btimes\b|(?<=\d\s*)x(?=\s*[\d(.])/g, "*"],
  [/÷|\bdivided by\b/g, "/"],
  [/%\s*of\b/g, "%*"],
];

/** Calculates with exact fractions: 0.1 + 0.2 is 0.3. */
export const arithmetic: BuiltinSkill = {
  id: "arithmetic",
  name: "Arithmetic",
  description: "Calculates with + - * / ^ % and parentheses, and writes numbers in words.",
  examples: ["12% of 340", "(1,234.5 + 99) * 3", "2^100", "2+2 in words"],
  match: (phrase, { isCut }) => {
    const question = phrase.toLowerCase().replace(asking, "").replaceAll(/^=|=$/g, "").trim();
    const [, asked = "", words] = /^(.*?)(,? (?:in|as) words)?$/.exec(question) ?? [];
    const text = rewrites.reduce((before, [pattern, sign]) => before.replace(pattern, sign), asked);
    const isCalculation = words !== undefined || /[-+*/^%]/.test(text.slice(1)) || text.startsWith("(");
    if (!isCalculation || !/^[\s\d.,()+\-*/^%]+$/.test(text) || !/\d|^\(/.test(text)) return undefined;
    if (isCut) throw new UserMistake(`That calculation is too long. I accept up to ${longestPhrase} characters.`);
    if (text.includes(","))
      throw new UserMistake("Please write decimals with a point: `1.5`. The comma is for thousands.");
    return () => {
      const { text: number, isExact } = textOf(new Expression(text).value());
      const said = words === undefined ? number : inWords(number);
      return `${code(asked, 200)}${words === undefined ? "" : " in words"} ${isExact ? "=" : "≈"} **${said}**`;
    };
  },
};
