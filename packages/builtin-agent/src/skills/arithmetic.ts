import type { BigNumber } from "mathjs";
import { code } from "../message/markdown.ts";
import { type BuiltinSkill, PHRASE_LIMIT, UserMistake } from "../message/skill.ts";
import { type Calculation, type Notation, toCalculation } from "../numbers/calculation.ts";
import { evaluate } from "../numbers/evaluate.ts";
import { formatNumber, numberInWords, type NumberText } from "../numbers/number-text.ts";

/** Calculates with exact decimals: 0.1 + 0.2 is 0.3. Angles are in radians unless marked as degrees. */
export const arithmetic: BuiltinSkill = {
  id: "arithmetic",
  name: "Arithmetic",
  description: "Calculates: formulas, percentages, roots, powers, factorials, sines, and numbers in words.",
  examples: [
    "12% of 340",
    "(1,234.5 + 99) * 3",
    "square root of 2",
    "20% off 80",
    "10 choose 3",
    "sin(30°)",
    "255 in hex",
    "2+2 in words",
  ],
  match: ({ phrase, isCut }) => {
    const calculation = toCalculation(phrase);
    if (calculation === undefined) return undefined;
    if (isCut) {
      throw new UserMistake(
        `That calculation is too long. I accept up to ${PHRASE_LIMIT.toLocaleString("en")} characters.`,
      );
    }
    return () => answer(calculation);
  },
};

function answer({ asked, expression, notation }: Calculation): string {
  const { text, exact } = WRITERS[notation ?? "decimal"](evaluate(expression));
  return `${code(asked, 200)}${notation ? ` in ${notation}` : ""} ${exact ? "=" : "≈"} **${text}**`;
}

const WRITERS: Readonly<Record<Notation, (value: BigNumber) => NumberText>> = {
  decimal: (value) => formatNumber(value),
  percent: (value) => {
    const { text, exact } = formatNumber(value.times(100));
    return { text: `${text} %`, exact };
  },
  words: (value) => {
    const { exact } = formatNumber(value);
    return { text: numberInWords((exact ? value : value.toSignificantDigits(15)).toFixed()), exact };
  },
  hex: (value) => inSystem(value, 16, "0x"),
  binary: (value) => inSystem(value, 2, "0b"),
};

function inSystem(value: BigNumber, radix: number, prefix: string): NumberText {
  if (!value.isInteger() || value.e >= 50) {
    throw new UserMistake("I can write whole numbers of at most 50 digits in another number system.");
  }
  const digits = BigInt(value.abs().toFixed()).toString(radix);
  return { text: `${value.isNegative() ? "-" : ""}${prefix}${digits}`, exact: true };
}
