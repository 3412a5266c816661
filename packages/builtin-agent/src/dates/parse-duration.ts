/** A duration in whole calendar units. `workdays` are Monday to Friday and never combine with other units. */
export interface CalendarDuration {
  years: number;
  months: number;
  weeks: number;
  days: number;
  workdays: number;
}

const UNITS: ReadonlyMap<string, keyof CalendarDuration> = new Map([
  ["y", "years"],
  ["yr", "years"],
  ["year", "years"],
  ["month", "months"],
  ["w", "weeks"],
  ["week", "weeks"],
  ["d", "days"],
  ["day", "days"],
  ["workday", "workdays"],
  ["weekday", "workdays"],
  ["working day", "workdays"],
  ["business day", "workdays"],
]);

/** Parses `45 days`, `a week`, `1 year 2 months and 3 days`. `undefined` for other text, including hours. */
export function parseDuration(text: string): CalendarDuration | undefined {
  const duration: CalendarDuration = { years: 0, months: 0, weeks: 0, days: 0, workdays: 0 };
  const parts = text
    .toLowerCase()
    .trim()
    .replace(/(\d)(?=[a-z])/g, "$1 ")
    .split(/\s*,\s*(?:and )?|\s+and\s+|\s+(?=\d)/);
  for (const part of parts) {
    const [, amount = "", name = ""] =
      /^(\d{1,6}|an?|one|two|three) ((?:working |business )?[a-z]+?)s?$/.exec(part) ?? [];
    const unit = UNITS.get(name);
    if (unit === undefined) return undefined;
    duration[unit] += amountOf(amount);
  }
  return duration.workdays > 0 && parts.length > 1 ? undefined : duration;
}

function amountOf(word: string): number {
  const named = ["", "one", "two", "three"].indexOf(word);
  return named > 0 ? named : word.startsWith("a") ? 1 : Number(word);
}
