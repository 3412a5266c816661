import { code } from "../message/markdown.ts";
import { type BuiltinSkill, UserMistake } from "../message/skill.ts";
import { math } from "../numbers/mathjs.ts";
import { formatNumber } from "../numbers/number-text.ts";
import { convertQuantity, parseQuantity, type Term } from "../units/quantities.ts";
import { findUnit } from "../units/unit-names.ts";

interface Conversion {
  /** The quantity as written. */
  from: string;
  /** The target unit as written. */
  to: string;
}

const CURRENCIES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf("currency").map((name) => name.toLowerCase()),
  ..."dollar dollars euro euros yen pound sterling rupee rupees yuan franc francs btc bitcoin".split(" "),
]);

/** Says which of several units with the same name was used, by mathjs name. */
const NOTES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:gallons?|gal|quarts?|qt|pints?|pt|cups?|floz|fluidounces?)\b/,
    "Gallons, quarts, pints, cups and fluid ounces are US measures; write `imperial gallon` for the other.",
  ],
  [/\btons?\b/, "A ton here is the US short ton; write `tonne` or `long ton` for the others."],
  [
    /\b(?:years?|months?|decades?|century|centuries)\b/,
    "Years and months have their average length (365.25 days a year).",
  ],
];

/** Converts between units of the same kind with exact factors. Has no exchange rates, and says so. */
export const unitConversion: BuiltinSkill = {
  id: "unit-conversion",
  name: "Unit conversion",
  description: "Converts lengths, weights, volumes, temperatures, speeds, data sizes, fuel consumption and more.",
  examples: [
    "5 km in miles",
    "72 °F to °C",
    "5'11\" in cm",
    "convert 60 mph to km/h",
    "12 stone 6 lb in kg",
    "500 MB in MiB",
    "30 mpg in litres per 100 km",
    "how many feet are in a mile",
  ],
  match: ({ phrase }) => {
    if (phrase.length > 120) return undefined;
    const conversion = readConversion(
      phrase.replace(/(?:l|lit(?:er|re)s?) ?(?:\/|per) ?100 ?(?:km|kilomet(?:er|re)s?)/i, "lp100km"),
    );
    if (conversion === undefined) return undefined;
    const terms = parseQuantity(conversion.from);
    refuseCurrencies(conversion, terms);
    const target = findUnit(conversion.to);
    const isKnown = target !== undefined || terms?.some(({ unit }) => unit !== undefined);
    return terms !== undefined && isKnown === true ? () => answer(conversion, terms, target) : undefined;
  },
};

function readConversion(phrase: string): Conversion | undefined {
  const [, wanted, quantity] =
    /^how many (.+?)(?: are| is)?(?: there)?(?: in| make| make up| per) (.+)$/i.exec(phrase) ?? [];
  if (wanted !== undefined && quantity !== undefined) {
    return { from: /^(?:[-\d.½¼¾]|an? |one |half )/i.test(quantity) ? quantity : `1 ${quantity}`, to: wanted };
  }
  const [, from, to] =
    /^(?:(?:convert|change|what(?:['’]s| is)|how (?:much|long|far|tall|heavy|hot|fast|big) is) )?(.+) (?:in|to|into|as|=|->|→) (?:an? )?(.+)$/i.exec(
      phrase,
    ) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

function refuseCurrencies({ from, to }: Conversion, terms: readonly Term[] | undefined): void {
  const isMoney = (name: string): boolean => CURRENCIES.has(name.toLowerCase()) && findUnit(name) === undefined;
  const isAmount = /^[$€£¥₹] ?[\d.,]+$/.test(from) || (terms?.length === 1 && isMoney(terms[0]?.name ?? ""));
  if (isAmount && CURRENCIES.has(to.toLowerCase())) {
    throw new UserMistake("I have no exchange rates, so I can't convert money.");
  }
}

function answer({ from, to }: Conversion, terms: readonly Term[], target: string | undefined): string {
  const unknown = terms.find(({ unit }) => unit === undefined)?.name ?? (target === undefined ? to : undefined);
  if (unknown !== undefined || target === undefined) {
    throw new UserMistake(`I don't know the unit ${code(unknown ?? to, 40)}.`);
  }
  let sum = math.bignumber(0);
  for (const { value, unit = "" } of terms) {
    const part = convertQuantity(value, unit, target);
    if (part === undefined) {
      throw new UserMistake(
        `${code(written(from))} and ${code(written(to))} measure different things, so I can't convert between them.`,
      );
    }
    sum = sum.plus(part);
  }
  const { text, exact } = formatNumber(sum, Math.min(15, Math.max(7, sum.e + 3)));
  const units = [target, ...terms.map(({ unit }) => unit ?? "")].join(" ");
  const notes = NOTES.filter(([pattern]) => pattern.test(units)).map(([, note]) => `\n_${note}_`);
  return `${code(written(from))} ${exact ? "=" : "≈"} **${text} ${label(to)}**${notes.join("")}`;
}

function written(name: string): string {
  return name.replace(/lp100km/i, "l/100 km");
}

/** The person's name for the unit, without anything that could act as Markdown. */
function label(name: string): string {
  return written(name).replace(/[^\p{L}\p{N} °/²³.^'"-]/gu, "");
}
