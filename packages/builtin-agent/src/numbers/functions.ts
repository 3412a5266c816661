import { createRequire } from "node:module";
import type * as Mathjs from "mathjs";
import type { BigNumber, FactoryFunctionMap, MathJsInstance } from "mathjs";
import { UserMistake } from "../message/skill.ts";

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
const EXACT_DIGITS = 60;

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
  if (left.e - right.e > EXACT_DIGITS) throw new UserMistake("Those numbers are too far apart for an exact remainder.");
  const rest = left.mod(right);
  return rest.isZero() || rest.isNegative() === right.isNegative() ? rest : rest.plus(right);
}
