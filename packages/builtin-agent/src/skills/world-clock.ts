import { code } from "../message/markdown.ts";
import { type BuiltinSkill, UserMistake } from "../message/skill.ts";

const MOST_PLACES = 10;

/** Time zones by the last part of their names, such as `new york`, and by their whole names. */
const ZONES: ReadonlyMap<string, string> = new Map(
  ["UTC", ...Intl.supportedValuesOf("timeZone")].flatMap((zone) => {
    const name = zone.toLowerCase().replaceAll("_", " ");
    return [[name, zone] as const, [name.slice(name.lastIndexOf("/") + 1), zone] as const];
  }),
);

/** Tells the time around the world, with the time zone rules of Node.js. */
export const worldClock: BuiltinSkill = {
  id: "world-clock",
  name: "Time zones",
  description: "Tells the time in the cities that time zones are named after.",
  examples: ["time in Tokyo", "what time is it in New York and London", "what time is it"],
  match: ({ phrase, now }) => {
    const [asked, names = "UTC"] =
      /^(?:what(?:['’]?s| is)? )?(?:the )?(?:current |local )?time(?: is it| it is)?(?: (?:right )?now)?(?: in (.+))?$/i.exec(
        phrase,
      ) ?? [];
    if (asked === undefined || phrase.length > 200) return undefined;
    const places = names.split(/, and | and |, ?| & /i).filter((name) => name !== "");
    if (places.length > MOST_PLACES) throw new UserMistake(`Please name at most ${MOST_PLACES} places at once.`);
    const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
    const lines = places.map((name) => clockLine(instant, name));
    return () => lines.join("\n");
  },
};

/** `- **Tokyo: 21:00**, Friday 20 November 2026 (Asia/Tokyo, UTC+09:00)`. */
function clockLine(instant: Temporal.Instant, name: string): string {
  const zone = ZONES.get(name.toLowerCase().replaceAll("_", " "));
  if (zone === undefined) {
    throw new UserMistake(`I don't know the time zone of ${code(name)}. Please name a larger city nearby.`);
  }
  const moment = instant.toZonedDateTimeISO(zone);
  const place = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  const time = moment.toPlainTime().toString({ smallestUnit: "minute" });
  return `- **${place}: ${time}**, ${longDate(moment.toPlainDate())} (${zone}, UTC${moment.offset})`;
}

/** `Friday 25 December 2026`. */
function longDate(date: Temporal.PlainDate): string {
  return date
    .toLocaleString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" })
    .replace(",", "");
}
