import type { BigNumber, MathNode } from "mathjs";
import { UserMistake } from "../skill.ts";
import { callFunction, constants } from "./functions.ts";
import { math } from "./mathjs.ts";

/** Values beyond ten to this power, or closer to zero than its inverse, are refused, also on the way to a result. */
const LARGEST_EXPONENT = 10_000;
const DEEPEST_NESTING = 60;

/**
 * Calculates an arithmetic expression with 64 digits. Only numbers, `+ - * / ^ % !`, parentheses, and the functions and
 * constants of functions.ts exist, and every step is bounded: any expression of 1,000 characters ends at once. Throws
 * `UserMistake`.
 */
export function evaluate(expression: string): BigNumber {
  refuseDeepNesting(expression);
  return valueOf(parse(expression));
}

/** The parser is recursive; this keeps it away from the end of the stack. */
function refuseDeepNesting(expression: string): void {
  let depth = 0;
  for (const sign of expression) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (depth > DEEPEST_NESTING) {
      throw new UserMistake(
        `That calculation has more than ${DEEPEST_NESTING} parentheses inside each other. Please split it.`,
      );
    }
  }
}

function parse(expression: string): MathNode {
  try {
    return math.parse(expression);
  } catch {
    throw new UserMistake(
      "I cannot read that calculation: a number, a sign or a parenthesis is missing or in the wrong place.",
    );
  }
}

function valueOf(node: MathNode): BigNumber {
  if (math.isConstantNode(node)) return bounded(math.bignumber(node.value));
  if (math.isParenthesisNode(node)) return valueOf(node.content);
  if (math.isOperatorNode(node)) return bounded(operate(node.fn, node.args));
  if (math.isFunctionNode(node)) return bounded(callFunction(node.fn.name, node.args.map(valueOf)));
  if (math.isSymbolNode(node)) {
    const constant = constants.get(node.name);
    if (constant !== undefined) return constant;
    throw new UserMistake(`\`${node.name}\` needs parentheses around its number, for example \`${node.name}(2)\`.`);
  }
  throw new UserMistake("I cannot read that calculation.");
}

function operate(operator: string, nodes: readonly MathNode[]): BigNumber {
  const values = nodes.map(valueOf);
  const [left, right] = values;
  const [leftNode, rightNode] = nodes;
  if (left === undefined || leftNode === undefined) throw new UserMistake("I cannot read that calculation.");
  if (right === undefined || rightNode === undefined) {
    if (operator === "unaryMinus") return left.negated();
    if (operator === "unaryPlus") return left;
    return callFunction(operator, values);
  }
  const share = isPercentage(rightNode) && !isPercentage(leftNode) ? left.times(right) : right;
  switch (operator) {
    case "add":
      return left.plus(share);
    case "subtract":
      return left.minus(share);
    case "multiply":
      return left.times(right);
    case "divide":
      if (right.isZero()) throw new UserMistake("Division by zero has no result.");
      return left.dividedBy(right);
    default:
      return callFunction(operator, values);
  }
}

/** `200 + 10%` adds a tenth of the 200, as pocket calculators do; `10% + 5%` is 15 %. */
function isPercentage(node: MathNode): boolean {
  if (math.isFunctionNode(node)) return node.fn.name === "percent";
  if (math.isParenthesisNode(node)) return isPercentage(node.content);
  return math.isOperatorNode(node) && ["add", "subtract"].includes(node.fn) && node.args.every(isPercentage);
}

function bounded(value: BigNumber): BigNumber {
  if (value.isNaN()) throw new UserMistake("That calculation has no result among the real numbers.");
  if (!value.isFinite() || value.e > LARGEST_EXPONENT) {
    throw new UserMistake("The result is too large: the numbers of that calculation grow beyond what I can write.");
  }
  if (!value.isZero() && value.e < -LARGEST_EXPONENT) {
    throw new UserMistake("The result is too close to zero for me to write.");
  }
  return value;
}
