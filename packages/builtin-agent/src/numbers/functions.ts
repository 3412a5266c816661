import type { BigNumber } from "mathjs";
import { UserMistake } from "../message/skill.ts";
import { math } from "./mathjs.ts";
import { choose, factorial, gcd, lcm, permutations } from "./whole-numbers.ts";

/** Remainders with more digits are not exact. */
const EXACT_DIGITS = 60;
const LARGEST_ANGLE = math.bignumber("1e15");
const ONE = math.bignumber(1);
const PI = math.bignumber("3.141592653589793238462643383279502884197169399375105820974944592307816");

/** Named constants. */
export const constants: ReadonlyMap<string, BigNumber> = new Map([
  ["pi", PI],
  ["tau", PI.times(2)],
  ["e", ONE.exp()],
]);

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

const functions: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ["percent", one((x) => x.dividedBy(100))],
  ["sqrt", one((x) => x.sqrt())],
  ["cbrt", one((x) => x.cbrt())],
  ["abs", one((x) => x.abs())],
  ["floor", one((x) => x.floor())],
  ["ceil", one((x) => x.ceil())],
  ["exp", one((x) => x.exp())],
  ["ln", one((x) => logarithm(x))],
  ["log10", one((x) => logarithm(x, 10))],
  ["log2", one((x) => logarithm(x, 2))],
  ["log", two((x, base) => logarithm(x, base))],
  ["sin", one((x) => rounded(angle(x).sin()))],
  ["cos", one((x) => rounded(angle(x).cos()))],
  ["tan", one(tangent)],
  ["asin", one((x) => x.asin())],
  ["acos", one((x) => x.acos())],
  ["atan", one((x) => x.atan())],
  ["round", { takes: [1, 2], apply: (x, digits, all) => x.toDecimalPlaces(all.length === 1 ? 0 : places(digits)) }],
  ["min", many((left, right) => (right.lt(left) ? right : left))],
  ["max", many((left, right) => (right.gt(left) ? right : left))],
  ["gcd", many(gcd)],
  ["lcm", many(lcm)],
  ["pow", two((left, right) => left.pow(right))],
  ["mod", two(remainder)],
  ["factorial", one(factorial)],
  ["choose", two(choose)],
  ["permutations", two(permutations)],
]);

/** Names of all functions, which distinguish a calculation from other text. */
export const functionNames: readonly string[] = [...functions.keys()];

/**
 * Calls a function of the calculator. Throws `UserMistake` for an unknown name, a wrong number of arguments or a value
 * outside its domain.
 */
export function callFunction(name: string, args: readonly BigNumber[]): BigNumber {
  const found = functions.get(name);
  if (found === undefined) throw new UserMistake("That calculation uses something I don't know.");
  const [fewest, most] = found.takes;
  const [first, second = ONE] = args;
  if (first === undefined || args.length < fewest || args.length > most) {
    const wanted = fewest === most ? String(fewest) : `${fewest} to ${most}`;
    const hint = name === "log" ? " (the number and the base; or use `ln` or `log10`)" : "";
    throw new UserMistake(`\`${name}\` takes ${wanted} number${most === 1 ? "" : "s"}${hint}, but got ${args.length}.`);
  }
  return found.apply(first, second, args);
}

function logarithm(x: BigNumber, base?: BigNumber | number): BigNumber {
  if (x.lte(0)) throw new UserMistake("Only numbers above zero have a logarithm.");
  if (base === undefined) return x.ln();
  const checked = math.bignumber(base);
  if (checked.lte(0) || checked.eq(1)) throw new UserMistake("The base of a logarithm must be above zero and not 1.");
  return x.log(checked);
}

function angle(x: BigNumber): BigNumber {
  if (x.abs().gt(LARGEST_ANGLE)) throw new UserMistake("That angle is too large to calculate with.");
  return x;
}

/** So that the sine of pi is 0, not the rounding error of pi. */
function rounded(x: BigNumber): BigNumber {
  return x.toDecimalPlaces(44);
}

function tangent(x: BigNumber): BigNumber {
  const cosine = rounded(angle(x).cos());
  if (cosine.isZero()) throw new UserMistake("The tangent of that angle is not defined.");
  return rounded(x.sin()).dividedBy(cosine);
}

function places(digits: BigNumber): number {
  if (!digits.isInteger() || digits.lt(0) || digits.gt(30)) {
    throw new UserMistake("I can round to between 0 and 30 decimal places.");
  }
  return digits.toNumber();
}

function remainder(left: BigNumber, right: BigNumber): BigNumber {
  if (right.isZero()) throw new UserMistake("Division by zero has no remainder.");
  if (left.e - right.e > EXACT_DIGITS) throw new UserMistake("Those numbers are too far apart for an exact remainder.");
  const rest = left.mod(right);
  return rest.isZero() || rest.isNegative() === right.isNegative() ? rest : rest.plus(right);
}
