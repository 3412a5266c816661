import { counted } from "../markdown.ts";
import { longDate } from "./calendar-names.ts";
import { workdaysBetween } from "./workdays.ts";

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
