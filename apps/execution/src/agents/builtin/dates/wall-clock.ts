import { clockText } from "./clock-time.ts";
import { longDate } from "./calendar-names.ts";
import type { Place } from "./find-place.ts";

/** What a time on the clocks of a place means. On two days of the year it may mean nothing, or two moments. */
export type WallClock =
  | { kind: "one"; moment: Temporal.ZonedDateTime }
  | { kind: "two"; first: Temporal.ZonedDateTime; second: Temporal.ZonedDateTime }
  | { kind: "none"; sentence: string };

/** Resolves a local time, telling apart what a silent default would hide: the gap and the fold when clocks change. */
export function resolveWallClock(local: Temporal.PlainDateTime, place: Place): WallClock {
  const first = local.toZonedDateTime(place.zone, { disambiguation: "earlier" });
  const second = local.toZonedDateTime(place.zone, { disambiguation: "later" });
  if (first.epochNanoseconds === second.epochNanoseconds) return { kind: "one", moment: first };
  if (first.toPlainDateTime().equals(local)) return { kind: "two", first, second };
  const change = first.getTimeZoneTransition("next") ?? second;
  const jump = second.offsetNanoseconds - first.offsetNanoseconds;
  const until = change.toPlainTime();
  const from = until.subtract({ nanoseconds: jump });
  const why = until.equals(from)
    ? "that day was left out when the place changed its time zone."
    : `the clocks go forward from ${clockText(from)} to ${clockText(until)}.`;
  const where = `${place.name} on ${longDate(local.toPlainDate())}`;
  return { kind: "none", sentence: `**${clockText(local.toPlainTime())} does not exist in ${where}:** ${why}` };
}
