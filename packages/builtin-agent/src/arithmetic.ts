import { type BuiltinSkill, code } from "./skill.ts";

/** An exact number: a fraction of whole numbers, the second above zero. */
type Fraction = readonly [top: bigint, bottom: bigint];

/** Why there is no result, as a sentence for the person. */
class Mistake extends Error {
  override readonly name = "Mistake";
}

const unreadable = "I can't read that calculation: a number, a sign or a parenthesis is missing or in the wrong place.";

function divide([a, b]: Fraction, [c, d]: Fraction): Fraction {
  if (c === 0n) throw new Mistake("Division by zero has no result.");
  return c < 0n ? [-a * d, b * -c] : [a * d, b * c];
}

interface Operator {
  /** Operators that bind more are calculated first. */
  readonly binds: number;
  readonly apply: (left: Fraction, right: Fraction) => Fraction;
}

/** A result has about as many digits as both numbers together. So the length of a message bounds its work: powers would not be bounded. */
const operators: Readonly<Record<string, Operator>> = {
  "+": { binds: 1, apply: ([a, b], [c, d]) => [a * d + c * b, b * d] },
  "-": { binds: 1, apply: ([a, b], [c, d]) => [a * d - c * b, b * d] },
  "*": { binds: 2, apply: ([a, b], [c, d]) => [a * c, b * d] },
  "/": { binds: 2, apply: divide },
};

/** Calculates from the first token on, and takes what it reads, up to an operator that binds less than `least`. */
function calculate(tokens: string[], least = 1): Fraction {
  let left = takeOperand(tokens);
  for (;;) {
    const operator = operators[tokens[0] ?? ""];
    if (operator === undefined || operator.binds < least) return left;
    tokens.shift();
    left = operator.apply(left, calculate(tokens, operator.binds + 1));
  }
}

/** Takes a number or parentheses, with the signs around it. */
function takeOperand(tokens: string[]): Fraction {
  const token = tokens.shift() ?? "";
  if (token === "-") {
    const [top, bottom] = takeOperand(tokens);
    return [-top, bottom];
  }
  const [top, bottom] = token === "(" ? calculate(tokens) : readNumber(token);
  if (token === "(" && tokens.shift() !== ")") throw new Mistake(unreadable);
  if (tokens[0] !== "%") return [top, bottom];
  tokens.shift();
  return [top, bottom * 100n];
}

function readNumber(token: string): Fraction {
  if (!/^\d/.test(token)) throw new Mistake(unreadable);
  const [whole = "", part = ""] = token.replaceAll(",", "").split(".");
  return [BigInt(whole + part), 10n ** BigInt(part.length)];
}

/** Digits after the point, and the most that are written in all. */
const [places, mostDigits] = [12, 60];
const decimals = new Intl.NumberFormat("en", { maximumFractionDigits: places, signDisplay: "negative" });

/** Returns a number as text, and whether the text is all of it. */
function write([top, bottom]: Fraction): { readonly number: string; readonly isExact: boolean } {
  const scaled = top * 10n ** BigInt(places);
  // One more digit than is shown, to round by.
  const digits = (scaled * 10n) / bottom;
  if (String(digits).length > mostDigits) throw new Mistake("The result is too large for me.");
  return { number: decimals.format(`${digits}E-${places + 1}` as `${number}`), isExact: scaled % bottom === 0n };
}

const names = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen".split(" "),
  ..."fourteen fifteen sixteen seventeen eighteen nineteen".split(" "),
];
const tens = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const scales = [
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
  [1e3, "thousand"],
  [100, "hundred"],
] as const;

/** Returns a whole number below 10^15 in English. */
function nameOf(whole: number): string {
  for (const [scale, name] of scales) {
    const rest = whole % scale;
    if (whole >= scale) return `${nameOf(Math.floor(whole / scale))} ${name}${rest === 0 ? "" : ` ${nameOf(rest)}`}`;
  }
  return whole < 20
    ? (names[whole] ?? "")
    : `${tens[Math.floor(whole / 10)]}-${names[whole % 10]}`.replace("-zero", "");
}

/** Returns a written number such as `-12.5` in English: "minus twelve point five". */
function inWords(number: string): string {
  const [whole = "", part = ""] = number.replaceAll(/[-,]/g, "").split(".");
  if (whole.length > 15) throw new Mistake("That number is too long to write in words.");
  const digits = Array.from(part, (digit) => ` ${nameOf(Number(digit))}`).join("");
  return `${number.startsWith("-") ? "minus " : ""}${nameOf(Number(whole))}${part && ` point${digits}`}`;
}

const opening = /^(?:(?:hello|please|and|what is|what['’]s|calculate)[ ,]+)*/i;

/** Calculates with exact fractions: 0.1 + 0.2 is 0.3. */
export const arithmetic: BuiltinSkill = {
  id: "arithmetic",
  name: "Arithmetic",
  description: "Calculates with + - * / % and parentheses, and writes the result in words.",
  examples: ["12% of 340", "(1,234.5 + 99) * 3", "2+2 in words"],
  answer: (phrase) => {
    const [, asked = "", words] = /^(.*?)(,? in words)?[ ?!.=]*$/i.exec(phrase.replace(opening, "")) ?? [];
    const text = asked.replaceAll(/% ?of /gi, "% * ");
    const isCalculation = words !== undefined || /\d.*[-+*/%]/.test(text);
    if (!isCalculation || !/^[-(\d][-+*/%()\d., ]*$/.test(text)) return undefined;
    try {
      const tokens = text.match(/\d+(?:,\d{3})*(?:\.\d+)?|\S/g) ?? [];
      const value = calculate(tokens);
      if (tokens.length > 0) throw new Mistake(unreadable);
      const { number, isExact } = write(value);
      const [how, said] = words === undefined ? ["", number] : [" in words", inWords(number)];
      return `${code(asked, 200)}${how} ${isExact ? "=" : "≈"} **${said}**`;
    } catch (error) {
      if (error instanceof Mistake) return error.message;
      throw error;
    }
  },
};
