import { code } from "../message/markdown.ts";
import { UserMistake } from "../message/skill.ts";
import { ABBREVIATIONS_BY_ZONE, PLACES_BY_ZONE, WIDE_PLACES } from "./cities.ts";

/** A place with a time zone. */
export interface Place {
  /** Display name: `New York`. */
  name: string;
  /** For Temporal: `America/New_York`, `+09:00` or `UTC`. */
  zone: string;
}

export const UTC: Place = { name: "UTC", zone: "UTC" };
const MOST_PLACES = 10;

const abbreviations = zonesByName(ABBREVIATIONS_BY_ZONE);
const places: ReadonlyMap<string, string> = new Map([
  ...[...Intl.supportedValuesOf("timeZone"), ...Object.keys(PLACES_BY_ZONE)].flatMap((zone): [string, string][] => [
    [lastPart(zone).toLowerCase(), zone],
    [zone.toLowerCase(), zone],
  ]),
  ...zonesByName(PLACES_BY_ZONE),
]);

/**
 * Returns the time zone of a city, a country with one time zone, an abbreviation, an offset such as `UTC+9`, or an IANA
 * name; `undefined` for an unknown name. Throws `UserMistake` for a place with several time zones.
 */
export function findPlace(text: string): Place | undefined {
  const key = text
    .toLowerCase()
    .replace(/^(?:in|at|the) /, "")
    .replace(/ (?:time|local time|now|right now|today)$/, "")
    .trim();
  const short = abbreviations.get(key) ?? offsetZone(key);
  if (short !== undefined) return { name: key.toUpperCase(), zone: short };
  const zone = places.get(key) ?? places.get(key.replaceAll(" ", "_"));
  if (zone !== undefined) return { name: key.includes("/") ? lastPart(zone) : titleCase(key), zone };
  if (WIDE_PLACES.has(key)) {
    throw new UserMistake(
      `${key.length < 4 ? key.toUpperCase() : titleCase(key)} has more than one time zone. Please name a city.`,
    );
  }
  return undefined;
}

/** Returns the place of that name. Throws `UserMistake` when it is unknown. */
export function placeNamed(name: string): Place {
  const place = findPlace(name);
  if (place !== undefined) return place;
  throw new UserMistake(
    `I don't know the time zone of ${code(name)}. Please name a larger city nearby, or an offset such as \`UTC+2\`.`,
  );
}

/**
 * Returns all places of a list such as `Paris, Rome and UTC+9`, at most ten. Throws `UserMistake` as `placeNamed` does.
 */
export function placesNamed(list: string): Place[] {
  const names = splitNames(list);
  if (names.length > MOST_PLACES) throw new UserMistake(`Please name at most ${MOST_PLACES} places at once.`);
  return names.map(placeNamed);
}

export function splitNames(list: string): string[] {
  return list.split(/, and | and |, ?| & /i).filter((name) => name !== "");
}

function zonesByName(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([zone, names]) => names.split(", ").map((name) => [name, zone] as const)),
  );
}

function lastPart(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

function offsetZone(key: string): string | undefined {
  const [, sign, hours = "", minutes = "00"] = /^(?:utc|gmt) ?([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(key) ?? [];
  return sign === undefined || Number(hours) > 14 ? undefined : `${sign}${hours.padStart(2, "0")}:${minutes}`;
}

function titleCase(key: string): string {
  return key.replace(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}
