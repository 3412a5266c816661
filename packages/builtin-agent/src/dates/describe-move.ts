import { UserMistake } from "../skill.ts";
import { longDate } from "./calendar-names.ts";
import type { CalendarDuration } from "./parse-duration.ts";
import { addWorkdays } from "./workdays.ts";

export interface Move {
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
