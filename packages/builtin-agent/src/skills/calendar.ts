import { createRequire } from "node:module";
import type * as Chrono from "chrono-node/en";
import { code, counted } from "../message/markdown.ts";
import { type BuiltinSkill, UserMistake } from "../message/skill.ts";

/** Loaded on first use. */
export const chrono = (): typeof Chrono => createRequire(import.meta.url)("chrono-node/en") as typeof Chrono;

/** Counts and finds days. "Today" is the day in UTC, and answers say so: the person's time zone is unknown. */
export const calendar: BuiltinSkill = {
  id: "calendar",
  name: "Dates",
  description: "Counts days and weeks, finds weekdays and adds to dates.",
  examples: [
    "days until 2026-12-25",
    "days between 1 March 2026 and 24 December 2026",
    "what day is 2027-01-01",
    "2026-03-01 + 45 days",
    "3 weeks before 24 December 2026",
    "what is the date today",
  ],
  match: ({ phrase, now }) => {
    if (phrase.length > 120) return undefined;
    const asked = phrase.replace(/^(?:(?:what|which)(?:['’]?s| is| was| will be)? )?(?:the )?/i, "");
    const today = Temporal.PlainDate.from(now.toISOString().slice(0, 10));
    const answer = count(asked, today) ?? move(asked, today) ?? describeDay(asked, today);
    return answer === undefined ? undefined : () => answer;
  },
};

const COUNT =
  /^(?:how many |number of )?(days|weeks) (?:(?:are )?(?:there )?(?:left )?)(until|till|to|since|between|from) (.+?)(?: (?:and|to|until) (.+))?$/i;

function count(asked: string, today: Temporal.PlainDate): string | undefined {
  const [, unit = "", word = "", from = "", to] = COUNT.exec(asked) ?? [];
  const isSpan = /between|from/i.test(word);
  if (unit === "" || isSpan !== (to !== undefined)) return undefined;
  const isPast = /since/i.test(word);
  const named = [from, ...(to === undefined ? [] : [to])].map((text) => {
    const date = readDate(text, today, isPast);
    if (date === undefined) throw new UserMistake(`I don't understand the date ${code(text)}.`);
    return date;
  });
  const [start = today, end = today] = isSpan || isPast ? named : [today, ...named];
  const { days } = start.until(end);
  const size = Math.abs(days);
  const weeks = /weeks/i.test(unit) ? ` (${counted(Math.trunc(size / 7), "week")}, ${counted(size % 7, "day")})` : "";
  const way = `from ${longDate(start)} ${days < 0 ? "back " : ""}to ${longDate(end)}`;
  return `**${counted(size, "day")}**${weeks} ${way}.${isSpan ? "" : ` Today is ${longDate(today)} in UTC.`}`;
}

const LENGTH = String.raw`(?<amount>\d{1,6}|an?|one|two|three) (?<unit>day|week|month|year)s?`;
const ADDED = new RegExp(String.raw`^(?<from>.+?) ?(?<way>\+|-|−|\bplus\b|\bminus\b) ?${LENGTH}$`, "i");
const MOVED = new RegExp(
  String.raw`^(?:(?:date|day) (?:is (?:it )?)?)?(?:in ${LENGTH}|${LENGTH} (?<way>ago|from|after|before)(?: (?<from>.+))?)$`,
  "i",
);

/** `2026-03-01 + 45 days`, `3 weeks before friday`, `45 days ago`. */
function move(asked: string, today: Temporal.PlainDate): string | undefined {
  const { amount, unit, way = "", from = "today" } = (ADDED.exec(asked) ?? MOVED.exec(asked))?.groups ?? {};
  const start = amount === undefined ? undefined : readDate(from, today);
  if (amount === undefined || start === undefined) return undefined;
  const named = ["an", "one", "two", "three"].indexOf(amount.toLowerCase());
  const length = { [`${unit?.toLowerCase()}s`]: Number(amount) || Math.max(named, 1) };
  const note = start.equals(today) ? ` Today is ${longDate(today)} in UTC.` : "";
  try {
    const date = /^(?:-|−|minus|ago|before)$/i.test(way) ? start.subtract(length) : start.add(length);
    return `**${longDate(date)}** (${date.toString()}).${note}`;
  } catch (error) {
    if (error instanceof RangeError) throw new UserMistake("That date is outside my calendar's range.");
    throw error;
  }
}

function describeDay(asked: string, today: Temporal.PlainDate): string | undefined {
  const named = asked.replace(/^(?:day of the week|weekday|day|date)(?: (?:is|was|will be|of|for|on))?(?: it)? ?/i, "");
  if (/^(?:today(?:['’]?s date)?)?$/i.test(named) && asked !== "") {
    return `Today is **${longDate(today)}** (${today.toString()}) in UTC.`;
  }
  const date = readDate(named, today);
  return date && `${date.toString()} is a **${longDate(date).split(" ")[0]}**: ${longDate(date)}.`;
}

/**
 * Reads a day: `2026-12-25`, `25 December`, `next friday`. Without a year it is the next such day, or the last one with
 * `isPast`. `undefined` for other text. Throws `UserMistake` for a day that does not exist, and for `3/4/2026`, which
 * has two meanings.
 */
function readDate(text: string, today: Temporal.PlainDate, isPast = false): Temporal.PlainDate | undefined {
  const written = text.trim().replace(/^(?:(?:on|the) )+/i, "");
  if (/^(?:today|now)$/i.test(written)) return today;
  if (/^\d{4}-\d\d-\d\d$/.test(written)) return existing(written);
  const [, first = "", second = ""] = /^(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}$/.exec(written) ?? [];
  if (first !== second && Number(first) <= 12 && Number(second) <= 12) {
    throw new UserMistake(`${code(written)} can mean two days. Please write it as \`2026-12-25\`.`);
  }
  if (!/[a-z]/i.test(written) && first === "") return undefined;
  const noon = new Date(`${today.toString()}T12:00Z`);
  const forwardDate = !isPast && !/^last/i.test(written);
  const [found] = chrono().casual.parse(written, { instant: noon, timezone: 0 }, { forwardDate });
  const isDay = found?.start.isCertain("day") === true || found?.start.isCertain("weekday") === true;
  if (found === undefined || found.text !== written || !isDay || found.start.isCertain("hour")) return undefined;
  const date = Temporal.PlainDate.from(found.start.date().toISOString().slice(0, 10));
  return isPast && !found.start.isCertain("year") && Temporal.PlainDate.compare(date, today) > 0
    ? date.subtract({ years: 1 })
    : date;
}

function existing(iso: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(iso);
  } catch {
    throw new UserMistake(`There is no day ${code(iso)}.`);
  }
}

/** `Friday 25 December 2026`. */
export function longDate(date: Temporal.PlainDate): string {
  return date
    .toLocaleString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" })
    .replace(",", "");
}
