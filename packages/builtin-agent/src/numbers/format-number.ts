import type { BigNumber } from "mathjs";

/** The reliable digits of a result. The rest of the 64 absorb rounding errors. */
const GOOD_DIGITS = 50;
/** The longest whole number written in full, digits. */
const EXACT_DIGITS = 40;

export interface NumberText {
  /** With commas between thousands from 10,000 on; `1.5 × 10^60` when too long. */
  text: string;
  /** False when digits were omitted. */
  exact: boolean;
}

/** Formats a number: exact when it is whole or short, otherwise rounded to `roundedDigits` significant digits. */
export function formatNumber(value: BigNumber, roundedDigits = 15): NumberText {
  const good = value.toSignificantDigits(GOOD_DIGITS);
  if (good.isZero()) return { text: "0", exact: true };
  const isShort = good.precision() <= (good.isInteger() ? EXACT_DIGITS : roundedDigits + 5);
  const shown = isShort ? good : good.toSignificantDigits(roundedDigits);
  const exact = shown.eq(good);
  if (good.e >= EXACT_DIGITS || good.e < -15) {
    const mantissa = shown.toSignificantDigits(roundedDigits).toExponential();
    const [digits = "", exponent = ""] = mantissa.split("e");
    return { text: `${digits} × 10^${exponent.replace("+", "")}`, exact: exact && shown.precision() <= roundedDigits };
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
