import type { BigNumber } from "mathjs";
import { UserMistake } from "../message/skill.ts";

/** The reliable digits of a result. The rest of the 64 absorb rounding errors. */
const GOOD_DIGITS = 50;
/** The longest whole number written in full, digits. */
const EXACT_DIGITS = 40;
const ROUNDED_DIGITS = 15;

export interface NumberText {
  /** With commas between thousands from 10,000 on; `1.5 × 10^60` when too long. */
  text: string;
  /** False when digits were omitted. */
  exact: boolean;
}

/** Formats a number: exact when it is whole or short, otherwise rounded to 15 significant digits. */
export function formatNumber(value: BigNumber): NumberText {
  const good = value.toSignificantDigits(GOOD_DIGITS);
  if (good.isZero()) return { text: "0", exact: true };
  const isShort = good.precision() <= (good.isInteger() ? EXACT_DIGITS : ROUNDED_DIGITS + 5);
  const shown = isShort ? good : good.toSignificantDigits(ROUNDED_DIGITS);
  const exact = shown.eq(good);
  if (good.e >= EXACT_DIGITS || good.e < -15) {
    const mantissa = shown.toSignificantDigits(ROUNDED_DIGITS).toExponential();
    const [digits = "", exponent = ""] = mantissa.split("e");
    return { text: `${digits} × 10^${exponent.replace("+", "")}`, exact: exact && shown.precision() <= ROUNDED_DIGITS };
  }
  return { text: grouped(shown.toFixed()), exact };
}

function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const bare = whole.slice(sign.length);
  const withCommas = bare.length < 5 ? bare : BigInt(bare).toLocaleString("en");
  return `${sign}${withCommas}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** Zero to nineteen. */
export const SMALL_NUMBERS: readonly string[] =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
/** The word for twenty is at index 2. */
export const TENS: readonly string[] = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES =
  "- thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion".split(
    " ",
  );

/**
 * Writes a decimal number such as `-12.5` in English words ("minus twelve point five"), with the short scale: a billion
 * is 10^9. Throws `UserMistake` from 10^36 on and for more than 20 digits after the point.
 */
export function numberInWords(decimal: string): string {
  const [whole = "", fraction = ""] = decimal.replace("-", "").split(".");
  if (whole.length > SCALES.length * 3 || fraction.length > 20) {
    throw new UserMistake("That number is too long to write in words.");
  }
  const sign = decimal.startsWith("-") ? "minus " : "";
  const digits = Array.from(fraction, (digit) => SMALL_NUMBERS[Number(digit)]).join(" ");
  return `${sign}${wholeInWords(whole)}${fraction === "" ? "" : ` point ${digits}`}`;
}

function wholeInWords(digits: string): string {
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) ?? [];
  const words = groups.flatMap((group, index) => {
    const scale = groups.length - 1 - index;
    if (Number(group) === 0) return [];
    return [scale === 0 ? belowThousand(Number(group)) : `${belowThousand(Number(group))} ${SCALES[scale]}`];
  });
  return words.join(" ") || "zero";
}

function belowThousand(number: number): string {
  const hundreds = Math.floor(number / 100);
  const rest = number % 100;
  const words = hundreds > 0 ? [`${SMALL_NUMBERS[hundreds]} hundred`] : [];
  if (rest > 0) words.push(rest < 20 ? String(SMALL_NUMBERS[rest]) : tens(rest));
  return words.join(" ");
}

function tens(number: number): string {
  const unit = number % 10;
  return unit === 0 ? String(TENS[number / 10]) : `${TENS[Math.floor(number / 10)]}-${SMALL_NUMBERS[unit]}`;
}
