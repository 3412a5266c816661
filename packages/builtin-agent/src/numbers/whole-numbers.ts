import type { BigNumber } from "mathjs";
import { UserMistake } from "../message/skill.ts";
import { math } from "./mathjs.ts";

/** Factorials, combinations and permutations multiply at most this many factors. */
const MOST_FACTORS = 1000;
/** Whole numbers with more digits are not exact. */
const EXACT_DIGITS = 60;
const ONE = math.bignumber(1);

/**
 * The greatest common divisor. Like all functions here, throws `UserMistake` unless the numbers are whole and have at
 * most 60 digits.
 */
export function gcd(a: BigNumber, b: BigNumber): BigNumber {
  return math.bignumber(greatestDivisor(whole(a), whole(b)).toString());
}

/** The least common multiple; 0 when either number is 0. */
export function lcm(a: BigNumber, b: BigNumber): BigNumber {
  const [left, right] = [whole(a), whole(b)];
  if (left === 0n || right === 0n) return math.bignumber(0);
  const multiple = (left / greatestDivisor(left, right)) * right;
  return math.bignumber((multiple < 0n ? -multiple : multiple).toString());
}

/** The factorial of a number up to 1,000. */
export function factorial(n: BigNumber): BigNumber {
  return product(ONE, n);
}

/** The number of ordered selections of `k` out of `n` things. */
export function permutations(n: BigNumber, k: BigNumber): BigNumber {
  if (k.isNegative()) throw new UserMistake("I can't choose fewer than zero.");
  return k.gt(n) ? math.bignumber(0) : product(n.minus(k).plus(1), n);
}

/** The number of unordered selections of `k` out of `n` things. */
export function choose(n: BigNumber, k: BigNumber): BigNumber {
  if (k.gt(n)) return math.bignumber(0);
  const fewer = k.lt(n.minus(k)) ? k : n.minus(k);
  return permutations(n, fewer).dividedBy(factorial(fewer)).toDecimalPlaces(0);
}

function whole(x: BigNumber): bigint {
  if (!x.isInteger() || x.e >= EXACT_DIGITS) {
    throw new UserMistake(`That needs whole numbers of at most ${EXACT_DIGITS} digits.`);
  }
  return BigInt(x.toFixed());
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

/** The product of all whole numbers from `first` to `last`; 1 when the range is empty. */
function product(first: BigNumber, last: BigNumber): BigNumber {
  if (!first.isInteger() || !last.isInteger() || last.isNegative() || first.lt(1) || last.e >= EXACT_DIGITS) {
    throw new UserMistake("That works only for whole numbers from zero up.");
  }
  if (last.minus(first).gte(MOST_FACTORS)) {
    throw new UserMistake("The result is far too large: I multiply at most 1,000 numbers.");
  }
  let result = ONE;
  for (let factor = first; factor.lte(last); factor = factor.plus(1)) result = result.times(factor);
  return result;
}
