import { UserMistake } from "../message/skill.ts";

/** January is 0. */
const MONTHS: readonly string[] =
  "January February March April May June July August September October November December".split(" ");

/** Monday is 0. */
const WEEKDAYS: readonly string[] = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

/** `Friday 25 December 2026`. */
export function longDate(date: Temporal.PlainDate): string {
  return `${WEEKDAYS[date.dayOfWeek - 1]} ${date.day} ${MONTHS[date.month - 1]} ${date.year}`;
}

/** Returns the index in `names` of a name or its prefix of at least three letters, ignoring case; -1 when absent. */
function indexOfName(names: readonly string[], text: string): number {
  const wanted = text.toLowerCase();
  return wanted.length < 3 ? -1 : names.findIndex((name) => name.toLowerCase().startsWith(wanted));
}

/** Named days, as month and day. */
const NAMED_DAYS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["new year", [1, 1]],
  ["new years", [1, 1]],
  ["new year's day", [1, 1]],
  ["valentine's day", [2, 14]],
  ["valentines day", [2, 14]],
  ["halloween", [10, 31]],
  ["christmas eve", [12, 24]],
  ["christmas", [12, 25]],
  ["xmas", [12, 25]],
  ["christmas day", [12, 25]],
  ["new year's eve", [12, 31]],
  ["new years eve", [12, 31]],
]);
const DAYS_FROM_TODAY: ReadonlyMap<string, number> = new Map([
  ["today", 0],
  ["now", 0],
  ["tomorrow", 1],
  ["yesterday", -1],
  ["day after tomorrow", 2],
  ["day before yesterday", -2],
]);

export interface DateContext {
  today: Temporal.PlainDate;
  /** Chooses the year when none is given: of the next such day, today included, or of the last one. */
  lean: "future" | "past";
}

/**
 * Parses a date as people write it: `2026-12-25`, `25 December 2026`, `Dec 25`, `tomorrow`, `next friday`, `christmas`.
 * `undefined` when the text is not a date. Throws `UserMistake` for a day that does not exist, and for `3/4/2026`,
 * which has two meanings.
 */
export function parseDate(text: string, context: DateContext): Temporal.PlainDate | undefined {
  const words = text
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/,/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:on|the) /, "");
  return relativeDay(words, context) ?? numericDay(words) ?? writtenDay(words, context);
}

function relativeDay(words: string, { today, lean }: DateContext): Temporal.PlainDate | undefined {
  const offset = DAYS_FROM_TODAY.get(words);
  if (offset !== undefined) return today.add({ days: offset });
  const [, which, name = ""] = /^(?:(next|this|coming|last) )?([a-z]{3,9})$/.exec(words) ?? [];
  const weekday = indexOfName(WEEKDAYS, name) + 1;
  if (weekday === 0) return undefined;
  if (which === "last" || (which === undefined && lean === "past")) {
    return today.subtract({ days: (today.dayOfWeek - weekday + 7) % 7 || 7 });
  }
  const ahead = (weekday - today.dayOfWeek + 7) % 7;
  return today.add({ days: ahead === 0 && which !== "this" ? 7 : ahead });
}

function numericDay(words: string): Temporal.PlainDate | undefined {
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(words);
  if (iso !== null) return existingDay(Number(iso[1]), Number(iso[3]), Number(iso[4]));
  const short = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(words);
  if (short === null) return undefined;
  const [first, second, year] = [Number(short[1]), Number(short[3]), Number(short[4])];
  if (first > 12 || first === second) return existingDay(year, second, first);
  if (second > 12) return existingDay(year, first, second);
  const [one, other] = [existingDay(year, second, first), existingDay(year, first, second)];
  throw new UserMistake(
    `\`${words}\` can mean ${first} ${MONTHS[second - 1]} or ${second} ${MONTHS[first - 1]}. Please write \`${one.toString()}\` or \`${other.toString()}\`.`,
  );
}

function writtenDay(words: string, context: DateContext): Temporal.PlainDate | undefined {
  const named = NAMED_DAYS.get(words);
  if (named !== undefined) return dayOfSomeYear(named[0], named[1], context);
  const weekday = /^([a-z]{3,9}) (?=\S+ \S)/.exec(words)?.[1] ?? "";
  const rest = indexOfName(WEEKDAYS, weekday) === -1 ? words : words.slice(weekday.length + 1);
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]{3,9})\.?(?: (\d{4}))?$/.exec(rest);
  const monthFirst = /^([a-z]{3,9})\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/.exec(rest);
  const [name, day, year] =
    dayFirst === null ? [monthFirst?.[1], monthFirst?.[2], monthFirst?.[3]] : [dayFirst[2], dayFirst[1], dayFirst[3]];
  const month = indexOfName(MONTHS, name ?? "") + 1;
  if (month === 0) return undefined;
  return year === undefined
    ? dayOfSomeYear(month, Number(day), context)
    : existingDay(Number(year), month, Number(day));
}

/** Returns the nearest such day in the chosen direction; 29 February may be years away. */
function dayOfSomeYear(month: number, day: number, { today, lean }: DateContext): Temporal.PlainDate {
  const step = lean === "future" ? 1 : -1;
  for (let years = 0; years <= 8; years += 1) {
    const found = Temporal.PlainDate.from({ year: today.year + step * years, month, day }, { overflow: "constrain" });
    if (found.day === day && Temporal.PlainDate.compare(found, today) * step >= 0) return found;
  }
  return existingDay(today.year, month, day);
}

function existingDay(year: number, month: number, day: number): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch {
    const name = MONTHS[month - 1];
    throw new UserMistake(name === undefined ? `There is no month ${month}.` : `There is no ${day} ${name} ${year}.`);
  }
}
