import { longDate } from "../dates/parse-date.ts";
import { type BuiltinSkill, UserMistake } from "../message/skill.ts";

/** The largest distance from 1970 that JavaScript dates support, milliseconds. */
const FARTHEST = 8.64e15;

/** Converts Unix time to a date and back. Numbers from 10^11 on are milliseconds. */
export const unixTime: BuiltinSkill = {
  id: "unix-time",
  name: "Unix time",
  description: "Turns Unix timestamps into dates and dates into Unix timestamps.",
  examples: ["unix 1700000000", "1700000000123", "unix now", "2026-12-25T10:00:00Z to unix"],
  match: ({ phrase, now }) => {
    if (phrase.length > 100) return undefined;
    if (NOW.test(phrase)) return () => describe(now.getTime());
    const number = NUMBER.exec(phrase);
    if (number !== null) return () => describe(milliseconds(number[1] ?? number[2] ?? ""));
    const date = DATE.exec(phrase);
    if (date !== null) return () => describe(momentOf(date[1] ?? date[2] ?? ""));
    return undefined;
  },
};

const NOW =
  /^(?:what(?:['’]s| is) )?(?:the )?(?:current )?(?:unix|epoch)(?: ?time| ?stamp| timestamp)?(?: now| is it)?$/i;
const NUMBER =
  /^(?:unix|epoch|timestamp|unix time|unix timestamp|epoch time)[: ]+(-?\d{1,40}(?:\.\d{1,9})?)$|^(-?\d{10}(?:\.\d{1,9})?|\d{13})(?: (?:to|in|as) (?:a )?(?:date|utc))?$/i;
const ISO = String.raw`\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(?:z| ?utc|[+-]\d{2}:\d{2})?`;
const DATE = new RegExp(
  `^(?:unix|epoch|timestamp)(?: time| timestamp)?(?: of| for)?[: ]+(${ISO})$|^(${ISO}) (?:to|in|as) (?:unix|epoch|timestamp)(?: time| timestamp)?$`,
  "i",
);

function milliseconds(text: string): number {
  const number = Number(text);
  return Math.abs(number) >= 1e11 ? number : number * 1000;
}

/** A date without a zone is read as UTC. */
function momentOf(text: string): number {
  const [, date = "", time = "T00:00", zone = "Z"] = /^(.{10})([t ][\d:.]+)?(.+)?$/i.exec(text) ?? [];
  try {
    return Temporal.Instant.from(`${date}T${time.slice(1)}${zone.trim().toLowerCase() === "utc" ? "Z" : zone.trim()}`)
      .epochMilliseconds;
  } catch {
    throw new UserMistake("That date or time does not exist. Please write it as `2026-12-25T10:00:00Z`.");
  }
}

function describe(epochMilliseconds: number): string {
  if (Math.abs(epochMilliseconds) > FARTHEST) {
    throw new UserMistake("That time is outside my calendar's range.");
  }
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.round(epochMilliseconds));
  const date = instant.toZonedDateTimeISO("UTC").toPlainDate();
  return [
    `**${instant.toString()}** (${longDate(date)}, UTC)`,
    `- Unix time: ${epochMilliseconds / 1000} seconds, ${Math.round(epochMilliseconds)} milliseconds`,
  ].join("\n");
}
