import { longDate } from "./calendar-names.ts";
import { clockText } from "./clock-time.ts";
import type { Place } from "./find-place.ts";

/** A list item with the clock of a place: `- **Tokyo: 21:00**, Friday 20 November 2026 (Asia/Tokyo, UTC+9)`. */
export function clockLine(moment: Temporal.ZonedDateTime, place: Place, isTwelveHour = false): string {
  const time = clockText(moment.toPlainTime(), isTwelveHour);
  return `- **${place.name}: ${time}**, ${longDate(moment.toPlainDate())} (${offsetText(moment)})`;
}

/** `Asia/Tokyo, UTC+9`. */
export function offsetText(moment: Temporal.ZonedDateTime): string {
  const offset =
    moment.offset === "+00:00" ? "UTC" : `UTC${moment.offset.replace(/:00$/, "").replace(/^([+-])0/, "$1")}`;
  return moment.timeZoneId.includes("/") ? `${moment.timeZoneId}, ${offset}` : offset;
}
