import { UserMistake } from "../skill.ts";
import { longDate } from "./calendar-names.ts";
import type { CalendarDuration } from "./parse-duration.ts";
import { addWorkdays } from "./workdays.ts";

export interface Move {
  start: Temporal.PlainDate;
  duration: CalendarDuration;
  backwards: boolean;
  /** A start on this day is explained, since it is taken in UTC. */
  today: Temporal.PlainDate;
}

/**
 * The day that lies so long after or before another one, as a sentence. Throws `UserMistake` beyond the calendar's
 * ends.
 */
export function describeMove({ start, duration, backwards, today }: Move): string {
  const { workdays, ...units } = duration;
  try {
    const shifted = backwards ? start.subtract(units) : start.add(units);
    const date = addWorkdays(shifted, backwards ? -workdays : workdays);
    const notes = [
      workdays > 0 ? " Monday to Friday count, holidays are not considered." : "",
      start.equals(today) ? ` Today is ${longDate(today)} in UTC.` : "",
    ];
    return `**${longDate(date)}** (${date.toString()}).${notes.join("")}`;
  } catch (error) {
    if (error instanceof RangeError) throw new UserMistake("That is further away than my calendar goes.");
    throw error;
  }
}
