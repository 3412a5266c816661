import { code } from "../message/markdown.ts";
import { UserMistake } from "../message/skill.ts";
import { clockText, type ClockTime, findClockTime } from "./clock-time.ts";
import { findPlace, type Place, placeNamed, splitNames, UTC } from "./find-place.ts";
import { longDate, parseDate } from "./parse-date.ts";

/** A list item with the clock of a place: `- **Tokyo: 21:00**, Friday 20 November 2026 (Asia/Tokyo, UTC+9)`. */
export function clockLine(moment: Temporal.ZonedDateTime, place: Place, isTwelveHour = false): string {
  const time = clockText(moment.toPlainTime(), isTwelveHour);
  return `- **${place.name}: ${time}**, ${longDate(moment.toPlainDate())} (${offsetText(moment)})`;
}

/** `Asia/Tokyo, UTC+9`. */
function offsetText(moment: Temporal.ZonedDateTime): string {
  const offset =
    moment.offset === "+00:00" ? "UTC" : `UTC${moment.offset.replace(/:00$/, "").replace(/^([+-])0/, "$1")}`;
  return moment.timeZoneId.includes("/") ? `${moment.timeZoneId}, ${offset}` : offset;
}

/** The moment that a local time means. When clocks change, it may mean none or two. */
type WallClock =
  | { kind: "one"; moment: Temporal.ZonedDateTime }
  | { kind: "two"; first: Temporal.ZonedDateTime; second: Temporal.ZonedDateTime }
  | { kind: "none"; sentence: string };

/** Resolves a local time. Reports the gap and the overlap of clock changes, which a silent default would hide. */
function resolveWallClock(local: Temporal.PlainDateTime, place: Place): WallClock {
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

/** Maximum number of words in a place's name. More words are a sentence that happens to contain a time. */
const LONGEST_NAME = 3;

/**
 * Answers `3pm Tokyo tomorrow in New York and London`. Without a day it uses today at the source. `undefined` when no
 * time of day or no place is named. Throws `UserMistake` when only some places are known.
 */
export function convertTime(asked: string, now: Date): string | undefined {
  const clock = findClockTime(asked.replace(/(\d{4}-\d{2}-\d{2})t(?=\d)/i, "$1 "));
  const parts = clock && split(clock);
  if (clock === undefined || parts === undefined) return undefined;
  const source = findPlace(parts.from);
  const isTargetKnown = parts.to.some((name) => findPlace(name) !== undefined);
  if (source === undefined && (!isTargetKnown || parts.from.split(" ").length > LONGEST_NAME)) return undefined;
  const from = source ?? placeNamed(parts.from);
  const targets = parts.to.length === 0 ? [UTC] : parts.to.map(placeNamed);
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(from.zone).toPlainDate();
  const date = parts.day === "" ? today : parseDate(parts.day, { today, lean: "future" });
  if (date === undefined) throw new UserMistake(`I don't understand the day ${code(parts.day)}.`);
  const wall = resolveWallClock(date.toPlainDateTime(clock.time), from);
  if (wall.kind === "none") return wall.sentence;
  const show = (moment: Temporal.ZonedDateTime): string =>
    [
      `${clockText(clock.time, clock.isTwelveHour)} in ${from.name} on ${longDate(date)} (${offsetText(moment)}) is`,
      ...targets.map((place) => clockLine(moment.withTimeZone(place.zone), place, clock.isTwelveHour)),
    ].join("\n");
  if (wall.kind === "one") return show(wall.moment);
  return `The clocks go back then, so this time comes **twice**.\n\n${show(wall.first)}\n\n${show(wall.second)}`;
}

/** `Tokyo tomorrow in New York and London`: source, day and targets around the time of day. */
function split({ before, after }: ClockTime): { from: string; to: string[]; day: string } | undefined {
  const text = `${before} ${after}`
    .trim()
    .replace(/^(?:when it(?:['’]s| is)|what time is|time|at) ?/i, "")
    .replace(/,? what time is it in /i, " in ");
  const day =
    /(?:^| )(?:on )?(\d{4}-\d{2}-\d{2}|today|tomorrow|yesterday|(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?= |$)/i.exec(
      text,
    );
  const places = (day === null ? text : text.replace(day[0], " "))
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:in|at) /i, "");
  if (places === "") return undefined;
  const [from = "", ...rest] = places.split(/ (?:in|to|into|as|->|→) (?:in )?/i);
  return rest.length > 1 ? undefined : { from, to: rest.flatMap(splitNames), day: day?.[1] ?? "" };
}
