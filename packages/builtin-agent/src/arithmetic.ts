import type { BigNumber, MathNode } from "mathjs";
import {
  type Calculation,
  call,
  formatNumber,
  math,
  type Notation,
  numberInWords,
  type NumberText,
  toCalculation,
  VOCABULARY,
} from "./calculation.ts";
import { type BuiltinSkill, code, PHRASE_LIMIT, UserMistake } from "./skill.ts";

/**
 * Values beyond ten to this power, or closer to zero than its inverse, are rejected, including intermediate results.
 */
const LARGEST_EXPONENT = 10_000;
const DEEPEST_NESTING = 60;
/**
 * Evaluates an arithmetic expression with 64 digits. Only numbers, `+ - * / ^ %`, parentheses, and the functions of functions.ts
 * exist. Every step is bounded, so any expression of 1,000 characters finishes quickly. Throws
 * `UserMistake`.
 */
function evaluate(expression: string): BigNumber {
  let depth = 0;
  for (const sign of expression) {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    // The parser is recursive; this limit prevents a stack overflow.
    if (depth > DEEPEST_NESTING) {
      throw new UserMistake(`That calculation nests more than ${DEEPEST_NESTING} parentheses. Please split it.`);
    }
  }
  return valueOf(parse(expression));
}

function parse(expression: string): MathNode {
  try {
    return math().parse(expression);
  } catch {
    throw new UserMistake(
      "I can't read that calculation: a number, a sign or a parenthesis is missing or in the wrong place.",
    );
  }
}

function valueOf(node: MathNode): BigNumber {
  if (math().isConstantNode(node)) return bounded(math().bignumber(node.value));
  if (math().isParenthesisNode(node)) return valueOf(node.content);
  if (math().isOperatorNode(node)) return bounded(call(node.fn, operands(node.fn, node.args)));
  if (math().isFunctionNode(node)) return bounded(call(node.fn.name, node.args.map(valueOf)));
  const name = node.toString();
  if (!VOCABULARY.has(name)) throw new UserMistake("I can't read that calculation.");
  throw new UserMistake(`\`${name}\` needs parentheses around its number, for example \`${name}(2)\`.`);
}

/** `200 + 10%` adds a tenth of 200, as pocket calculators do; `10% + 5%` is 15%. */
function operands(operator: string, nodes: readonly MathNode[]): BigNumber[] {
  const values = nodes.map(valueOf);
  const [left, right] = values;
  const [leftNode, rightNode] = nodes;
  if (!/^(?:add|subtract)$/.test(operator) || !left || !right || !leftNode || !rightNode) return values;
  return isPercentage(rightNode) && !isPercentage(leftNode) ? [left, left.times(right)] : values;
}

function isPercentage(node: MathNode): boolean {
  if (math().isFunctionNode(node)) return node.fn.name === "percent";
  if (math().isParenthesisNode(node)) return isPercentage(node.content);
  return math().isOperatorNode(node) && ["add", "subtract"].includes(node.fn) && node.args.every(isPercentage);
}

function bounded(value: BigNumber): BigNumber {
  if (value.isNaN()) throw new UserMistake("That calculation has no real-number result.");
  if (!value.isFinite() || value.e > LARGEST_EXPONENT) {
    throw new UserMistake("The result is too large for me to write, or an intermediate value is.");
  }
  if (!value.isZero() && value.e < -LARGEST_EXPONENT) {
    throw new UserMistake("The result is too close to zero for me to write.");
  }
  return value;
}

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
