import { clockLine, convertTime } from "../dates/convert-time.ts";
import { findPlace, placeNamed, placesNamed, UTC } from "../dates/find-place.ts";
import type { BuiltinSkill } from "../message/skill.ts";

/** Tells the time around the world and converts between places, with the time zone rules of Node.js. */
export const worldClock: BuiltinSkill = {
  id: "world-clock",
  name: "Time zones",
  description: "Tells the time in any city and converts times between places, with daylight saving time.",
  examples: [
    "time in Tokyo",
    "what time is it in New York and London",
    "3pm Tokyo in New York",
    "15:30 UTC tomorrow in Berlin",
    "2027-03-14 02:30 New York in UTC",
    "time difference between Paris and Sydney",
  ],
  match: ({ phrase, now }) => {
    if (phrase.length > 200) return undefined;
    const asked = phrase.replace(/^(?:what(?:['’]?s| is)|convert) (?=\S)/i, "");
    const answer = timeNow(asked, now) ?? difference(asked, now) ?? convertTime(asked, now);
    return answer === undefined ? undefined : () => answer;
  },
};

const NOW_IN =
  /^(?:what )?(?:the )?(?:current |local )?(?:time|now|clock)(?: is it| it is)?(?: right now| now)?(?: (?:in|at|for) (.+))?$/i;

function timeNow(asked: string, now: Date): string | undefined {
  const match = NOW_IN.exec(asked);
  const short = match === null ? /^(.+?) time(?: now)?$/i.exec(asked)?.[1] : undefined;
  const isShort = short !== undefined && findPlace(short) !== undefined;
  if (match === null && !isShort) return undefined;
  const places = match?.[1] === undefined && !isShort ? [UTC] : placesNamed(match?.[1] ?? short ?? "");
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const lines = places.map((place) => clockLine(instant.toZonedDateTimeISO(place.zone), place));
  const hint = places[0] === UTC ? "\n\nFor another place, write for example `time in Tokyo`." : "";
  return `${lines.join("\n")}${hint}`;
}

function difference(asked: string, now: Date): string | undefined {
  const [, from, to] = /^(?:the )?time (?:zone )?difference (?:between|from) (.+?) (?:and|to) (.+)$/i.exec(asked) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const [first, second] = [placeNamed(from), placeNamed(to)];
  const [here, there] = [instant.toZonedDateTimeISO(first.zone), instant.toZonedDateTimeISO(second.zone)];
  const minutes = (there.offsetNanoseconds - here.offsetNanoseconds) / 60e9;
  const size = `${Math.floor(Math.abs(minutes) / 60)} h${minutes % 60 === 0 ? "" : ` ${Math.abs(minutes % 60)} min`}`;
  const sentence =
    minutes === 0
      ? `${first.name} and ${second.name} have **the same time** now.`
      : `${second.name} is **${size} ${minutes > 0 ? "ahead of" : "behind"}** ${first.name} now.`;
  return [sentence, clockLine(here, first), clockLine(there, second)].join("\n");
}
