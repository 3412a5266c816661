import type { BigNumber } from "mathjs";
import { UserMistake } from "../message/skill.ts";
import { math } from "../numbers/mathjs.ts";
import { findUnit } from "./unit-names.ts";

/**
 * Converts a value to another unit; both are names from `findUnit`. `undefined` when they measure different things.
 * Converts fuel per distance to distance per fuel where needed. Throws `UserMistake` for impossible values such as -300
 * °C.
 */
export function convertQuantity(value: BigNumber, unit: string, target: string): BigNumber | undefined {
  if (/^deg[CF]$|^K$/.test(unit) && inUnit(value, unit, "K").isNegative()) {
    throw new UserMistake("That is below absolute zero, so no such temperature exists.");
  }
  const wanted = math.unit(target);
  if (math.unit(unit).equalBase(wanted)) return inUnit(value, unit, target);
  const flipped = [unit, target].includes("litresper100km") ? flip(unit) : undefined;
  if (flipped === undefined || !math.unit(flipped).equalBase(wanted)) return undefined;
  if (value.isZero()) throw new UserMistake("Zero has no equivalent in that unit.");
  return inUnit(math.bignumber(1).dividedBy(value), flipped, target);
}

function inUnit(value: BigNumber, unit: string, target: string): BigNumber {
  return math.bignumber(math.unit(value, unit).toNumeric(target) as BigNumber);
}

/** The unit of fuel per distance for distance per fuel, and the reverse. */
function flip(unit: string): string | undefined {
  if (unit === "litresper100km") return "hundredkmperlitre";
  const [top, bottom] = unit.split("/");
  return bottom === undefined ? undefined : `${bottom}/${top}`;
}

/** One part of a quantity. */
export interface Term {
  value: BigNumber;
  /** As written. */
  name: string;
  /** The mathjs expression; `undefined` when the unit is unknown. */
  unit: string | undefined;
}

const MOST_TERMS = 4;
const NUMBER = String.raw`(?:\d{1,30}(?:,\d{3})*(?:\.\d{1,30})?|\.\d{1,30})(?:e[-+]?\d{1,3})?`;
const LEADING_NUMBER = new RegExp(String.raw`^(-?${NUMBER})(.*)$`, "i");
const FRACTIONS: ReadonlyMap<string, string> = new Map([
  ["½", ".5"],
  ["¼", ".25"],
  ["¾", ".75"],
]);
/** The unit of a number without unit after these units: the 11 of `5 ft 11`. */
const NEXT_SMALLER: ReadonlyMap<string, string> = new Map([
  ["ft", "in"],
  ["feet", "in"],
  ["foot", "in"],
  ["stone", "lb"],
]);

/**
 * Parses a number with its unit, also in several parts: `5 km`, `1,234.5 m²`, `5'11"`, `6 lb 4 oz`, `1h30m`, `1 1/2
 * cups`, `a mile`. `undefined` when the text has another form.
 */
export function parseQuantity(text: string): Term[] | undefined {
  const terms: Term[] = [];
  for (const token of tokens(text)) {
    const [, number, rest = ""] = LEADING_NUMBER.exec(token) ?? [];
    const last = terms.at(-1);
    if (number !== undefined) {
      if (last !== undefined && (last.name === "" || last.value.isNegative())) return undefined;
      terms.push({ value: math.bignumber(number.replaceAll(",", "")), name: rest, unit: undefined });
    } else if (last === undefined) {
      return undefined;
    } else {
      last.name = `${last.name} ${token}`.trim();
    }
  }
  if (terms.length === 0 || terms.length > MOST_TERMS) return undefined;
  for (const [index, term] of terms.entries()) term.unit = unitOf(term.name, terms[index - 1]?.unit);
  return terms.every(({ name, unit }) => name !== "" || unit !== undefined) ? terms : undefined;
}

function tokens(text: string): string[] {
  return decimalFractions(text)
    .replace(/[’′]/g, "'")
    .replace(/[”“″]|''/g, '"')
    .replace(/(\d) ?' ?(?=\d)/, "$1 ft ")
    .replace(/(\d) ?'/, "$1 ft ")
    .replace(/(\d) ?"/, "$1 in ")
    .replace(/(\d ?(?:ft|feet|st|lbs?|d|hr?|min))(?=\d)/gi, "$1 ")
    .replace(/^half an? /i, "0.5 ")
    .replace(/^(?:an?|one) /i, "1 ")
    .replace(/, | and (?=\d)/g, " ")
    .split(" ")
    .filter((token) => token !== "");
}

function decimalFractions(text: string): string {
  return text
    .replace(/(\d*) ?([½¼¾])/g, (_whole, units: string, sign: string) => `${units || "0"}${FRACTIONS.get(sign)}`)
    .replace(/(?:\b\d{1,9} )?\b\d{1,9}\/\d{1,9}(?= ?[a-z])/gi, toDecimal);
}

/** `1 1/2` as `1.5`. */
function toDecimal(fraction: string): string {
  const [bottom = "1", top = "0", units = "0"] = fraction.split(/[ /]/).toReversed();
  if (Number(bottom) === 0) throw new UserMistake("Division by zero has no result.");
  return math.bignumber(top).dividedBy(bottom).plus(units).toSignificantDigits(30).toFixed();
}

function unitOf(name: string, previous?: string): string | undefined {
  if (name === "") return previous && NEXT_SMALLER.get(previous);
  if (name === "m" && previous !== undefined && ["h", "hr", "hour", "hours"].includes(previous)) return "minute";
  return findUnit(name);
}
