import { counted } from "../message/markdown.ts";
import { UserMistake } from "../message/skill.ts";
import { longDate } from "./parse-date.ts";
import type { CalendarDuration } from "./parse-duration.ts";

interface Move {
  start: Temporal.PlainDate;
  duration: CalendarDuration;
  backwards: boolean;
  /** When the start is this day, the answer explains that it is in UTC. */
  today: Temporal.PlainDate;
}

/** Describes the day at a distance after or before another. Throws `UserMistake` beyond the calendar's limits. */
export function describeMove({ start, duration, backwards, today }: Move): string {
  const { workdays, ...units } = duration;
  try {
    const shifted = backwards ? start.subtract(units) : start.add(units);
    const date = addWorkdays(shifted, backwards ? -workdays : workdays);
    const notes = [
      workdays > 0 ? " Counts Monday to Friday and ignores holidays." : "",
      start.equals(today) ? ` Today is ${longDate(today)} in UTC.` : "",
    ];
    return `**${longDate(date)}** (${date.toString()}).${notes.join("")}`;
  } catch (error) {
    if (error instanceof RangeError) throw new UserMistake("That date is outside my calendar's range.");
    throw error;
  }
}

/**
 * Counts Mondays to Fridays from `start` to the day before `end`; `start` must not be after `end`. Ignores public
 * holidays.
 */
export function workdaysBetween(start: Temporal.PlainDate, end: Temporal.PlainDate): number {
  const days = start.until(end, { largestUnit: "days" }).days;
  let workdays = Math.floor(days / 7) * 5;
  for (let day = start.add({ days: days - (days % 7) }); !day.equals(end); day = day.add({ days: 1 })) {
    if (isWorkday(day)) workdays += 1;
  }
  return workdays;
}

/** Returns the workday `count` workdays after `start`, or before it when `count` is negative. */
export function addWorkdays(start: Temporal.PlainDate, count: number): Temporal.PlainDate {
  if (count === 0) return start;
  const step = Math.sign(count);
  let day = start;
  while (!isWorkday(day)) day = day.subtract({ days: step });
  day = day.add({ weeks: Math.trunc(count / 5) });
  for (let left = Math.abs(count % 5); left > 0;) {
    day = day.add({ days: step });
    if (isWorkday(day)) left -= 1;
  }
  return day;
}

function isWorkday(day: Temporal.PlainDate): boolean {
  return day.dayOfWeek <= 5;
}

export interface Span {
  start: Temporal.PlainDate;
  end: Temporal.PlainDate;
  /** The person's word: days, weeks, business days; may be empty. */
  unit: string;
}

/** Describes the time between two days in the requested unit, without a final period. */
export function describeSpan({ start, end, unit }: Span): string {
  const isBackwards = Temporal.PlainDate.compare(start, end) > 0;
  const [first, last] = isBackwards ? [end, start] : [start, end];
  const way = `from ${longDate(start)} ${isBackwards ? "back " : ""}to ${longDate(end)}`;
  if (/weekdays|work|business/.test(unit)) {
    return `**${counted(workdaysBetween(first, last), "workday")}** (Monday to Friday, ignoring holidays) ${way}`;
  }
  const { days } = first.until(last, { largestUnit: "days" });
  const inDays = counted(days, "day");
  const inUnits = parts(first.until(last, { largestUnit: unit.startsWith("week") ? "weeks" : "years" }));
  if (inUnits === inDays || days === 0) return `**${inDays}** ${way}`;
  return /^(?:week|month|year)/.test(unit) ? `**${inUnits}** (${inDays}) ${way}` : `**${inDays}** (${inUnits}) ${way}`;
}

function parts({ years, months, weeks, days }: Temporal.Duration): string {
  return [
    years > 0 ? counted(years, "year") : "",
    months > 0 ? counted(months, "month") : "",
    weeks > 0 ? counted(weeks, "week") : "",
    days > 0 ? counted(days, "day") : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
