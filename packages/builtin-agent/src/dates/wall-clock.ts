import { clockText } from "./clock-time.ts";
import { longDate } from "./calendar-names.ts";
import type { Place } from "./find-place.ts";

/** The moment that a local time means. When clocks change, it may mean none or two. */
export type WallClock =
  | { kind: "one"; moment: Temporal.ZonedDateTime }
  | { kind: "two"; first: Temporal.ZonedDateTime; second: Temporal.ZonedDateTime }
  | { kind: "none"; sentence: string };

/** Resolves a local time. Reports the gap and the overlap of clock changes, which a silent default would hide. */
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
    ? "the place skipped that day when it changed its time zone."
    : `the clocks go forward from ${clockText(from)} to ${clockText(until)}.`;
  const where = `${place.name} on ${longDate(local.toPlainDate())}`;
  return { kind: "none", sentence: `**${clockText(local.toPlainTime())} does not exist in ${where}:** ${why}` };
}
