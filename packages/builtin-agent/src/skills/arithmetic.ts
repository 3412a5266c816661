import type { BigNumber } from "mathjs";
import { code } from "../message/markdown.ts";
import { type BuiltinSkill, PHRASE_LIMIT, UserMistake } from "../message/skill.ts";
import { type Calculation, type Notation, toCalculation } from "../numbers/calculation.ts";
import { evaluate } from "../numbers/evaluate.ts";
import { formatNumber, numberInWords, type NumberText } from "../numbers/number-text.ts";

/** Calculates with exact decimals: 0.1 + 0.2 is 0.3. */
export const arithmetic: BuiltinSkill = {
  id: "arithmetic",
  name: "Arithmetic",
  description: "Calculates: formulas, percentages, roots, powers, and numbers in words.",
  examples: ["12% of 340", "(1,234.5 + 99) * 3", "square root of 2", "20% off 80", "2+2 in words"],
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
};
