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
const MOST_FACTORS = 1000;
const LARGEST_ANGLE = 1e15;

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
  ["factorial", one((x) => product(1, x))],
  ["percent", one((x) => x.dividedBy(100))],
  ["sqrt", one((x) => x.sqrt())],
  ["cbrt", one((x) => x.cbrt())],
  ["abs", one((x) => x.abs())],
  ["floor", one((x) => x.floor())],
  ["ceil", one((x) => x.ceil())],
  ["round", one((x) => x.round())],
  ["ln", one((x) => positive(x).ln())],
  ["log10", one((x) => positive(x).log(10))],
  ["sin", one((x) => rounded(angle(x).sin()))],
  ["cos", one((x) => rounded(angle(x).cos()))],
  ["tan", one((x) => quotient(rounded(angle(x).sin()), rounded(x.cos())))],
  ["min", many((left, right) => (right.lt(left) ? right : left))],
  ["max", many((left, right) => (right.gt(left) ? right : left))],
  ["choose", two(choose)],
]);

/** Named constants. */
export const constants: ReadonlyMap<string, () => BigNumber> = new Map([
  ["pi", () => math().bignumber("3.141592653589793238462643383279502884197169399375105820974944592307816")],
  ["e", () => math().bignumber(1).exp()],
]);

/** All names in calculations, which distinguish them from other text. */
export const VOCABULARY: ReadonlySet<string> = new Set([...functions.keys(), ...constants.keys()]);

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

function positive(x: BigNumber): BigNumber {
  if (x.lte(0)) throw new UserMistake("Only numbers above zero have a logarithm.");
  return x;
}

function angle(x: BigNumber): BigNumber {
  if (x.abs().gt(LARGEST_ANGLE)) throw new UserMistake("That angle is too large to calculate with.");
  return x;
}

/** So that the sine of pi is 0, not the rounding error of pi. */
function rounded(x: BigNumber): BigNumber {
  return x.toDecimalPlaces(44);
}

/** The number of unordered selections of `k` out of `n` things. */
function choose(n: BigNumber, k: BigNumber): BigNumber {
  if (k.isNegative()) throw new UserMistake("I can't choose fewer than zero.");
  if (k.gt(n)) return math().bignumber(0);
  const fewer = k.lt(n.minus(k)) ? k : n.minus(k);
  return product(n.minus(fewer).plus(1), n).dividedBy(product(1, fewer)).toDecimalPlaces(0);
}

/** The product of all whole numbers from `first` to `last`; 1 when the range is empty. */
function product(first: BigNumber | number, last: BigNumber): BigNumber {
  if (!last.isInteger() || last.isNegative() || last.e >= EXACT_DIGITS || !last.minus(first).isInteger()) {
    throw new UserMistake("That works only for whole numbers from zero up.");
  }
  if (last.minus(first).gte(MOST_FACTORS)) {
    throw new UserMistake("The result is far too large: I multiply at most 1,000 numbers.");
  }
  let result = math().bignumber(1);
  for (let factor = math().bignumber(first); factor.lte(last); factor = factor.plus(1)) result = result.times(factor);
  return result;
}
