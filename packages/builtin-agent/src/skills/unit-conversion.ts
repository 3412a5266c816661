import type { BigNumber } from "mathjs";
import { code } from "../message/markdown.ts";
import { type BuiltinSkill, UserMistake } from "../message/skill.ts";
import { math } from "../numbers/functions.ts";
import { formatNumber, type NumberText } from "../numbers/number-text.ts";

/** What people write and mathjs does not read, with its mathjs expression. Case matters in `MB` and `Mb`. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    C: "degC",
    "°C": "degC",
    F: "degF",
    "°F": "degF",
    mph: "mile/hour",
    kph: "km/h",
    kmh: "km/h",
    Mbps: "Mb/s",
    Gbps: "Gb/s",
    lbs: "lb",
    pounds: "lb",
    knots: "knot",
    calories: "calorie",
  }),
);

const CONVERSION =
  /^(?:(?:convert|what(?:['’]s| is)|how (?:much|long|far|tall|heavy|hot|fast|big) is) )?(-?[\d,]{1,30}(?:\.\d{1,30})?|an?) ?(\D.*?) (?:in|to|into|as|=|->|→) (.+)$/i;
const COUNT = /^how many (.+?)(?: are| is)?(?: there)? in (-?[\d,]{1,30}(?:\.\d{1,30})?|an?) ?(.+)$/i;

/** Converts between units of the same kind. Has no exchange rates. */
export const unitConversion: BuiltinSkill = {
  id: "unit-conversion",
  name: "Unit conversion",
  description: "Converts lengths, weights, volumes, temperatures, speeds, data sizes and more.",
  examples: [
    "5 km in miles",
    "72 °F to °C",
    "convert 60 mph to km/h",
    "500 MB in MiB",
    "1 gallon in litres",
    "how many feet are in a mile",
  ],
  match: ({ phrase }) => {
    if (phrase.length > 120) return undefined;
    const [, wanted, amount, of] = COUNT.exec(phrase) ?? [];
    const [, number = amount ?? "", from = of ?? "", to = wanted ?? ""] = CONVERSION.exec(phrase) ?? [];
    const [unit, target] = [unitOf(from), unitOf(to)];
    if (unit === undefined && target === undefined) return undefined;
    if (unit === undefined || target === undefined) {
      throw new UserMistake(`I don't know the unit ${code(unit === undefined ? from : to, 40)}.`);
    }
    const value = math().bignumber(/^an?$/i.test(number) ? 1 : number.replaceAll(",", ""));
    // The person's name for the unit, without anything that could act as Markdown.
    const label = to.replace(/[^\p{L}\p{N} °/²³^-]/gu, "");
    return () => {
      const { text, exact } = convert(value, unit, target);
      return `${code(`${number} ${from}`)} ${exact ? "=" : "≈"} **${text} ${label}**`;
    };
  },
};

function convert(value: BigNumber, unit: string, target: string): NumberText {
  const quantity = math().unit(value, unit);
  if (!quantity.equalBase(math().unit(target))) {
    throw new UserMistake(
      `${code(unit)} and ${code(target)} measure different things, so I can't convert between them.`,
    );
  }
  // Beyond 60 digits, mathjs leaves rounding errors.
  const result = math()
    .bignumber(quantity.to(target).toNumeric(target) as BigNumber)
    .toSignificantDigits(60);
  return formatNumber(result, 10);
}

/** Returns the mathjs expression of a unit as people write it: `km/h`, `square feet`, `°C`, `m²`. */
function unitOf(written: string): string | undefined {
  const name = written
    .trim()
    .replace(/²/g, "2")
    .replace(/³/g, "3")
    .replace(/metre/gi, "meter")
    .replace(/^degrees? /i, "")
    .replace(/^square (\w+)$/i, "$1^2")
    .replace(/^cubic (\w+)$/i, "$1^3")
    .replace(/ per /, "/");
  const known = ALIASES.get(name) ?? name;
  return [known, known.toLowerCase()].find((one) => {
    const parts = one.split("/");
    return (
      parts.length <= 2 &&
      parts.every((part) => math().Unit.isValuelessUnit(/^[a-z]+(?=\^?[23]?$)/i.exec(part)?.[0] ?? ""))
    );
  });
}
