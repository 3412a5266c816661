import { code } from "../markdown.ts";
import { UserMistake } from "../skill.ts";
import { longDate } from "./calendar-names.ts";
import { clockLine, offsetText } from "./clock-line.ts";
import { clockText, type ClockTime, findClockTime } from "./clock-time.ts";
import { findPlace, placeNamed, splitNames, UTC } from "./find-place.ts";
import { parseDate } from "./parse-date.ts";
import { resolveWallClock } from "./wall-clock.ts";

/** The most words in a place's name. More words are a sentence that happens to contain a time. */
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
