/** A time of day as the person wrote it. */
export interface ClockTime {
  time: Temporal.PlainTime;
  /** True when written with am or pm; answers then use the same form. */
  isTwelveHour: boolean;
  /** The text before and after it. */
  before: string;
  after: string;
}

const TWELVE_HOUR = /(?<![\d:.])(\d{1,2})(?:[:.]([0-5]\d))? ?(am|pm|a\.m\.|p\.m\.)(?![a-z])/i;
const DAY_HOUR = /(?<![\d:.])(\d{1,2}):([0-5]\d)(?![\d:])/;
const WORD = /\b(?:noon|midday|midnight)\b/i;

/**
 * Finds a time of day in a phrase: `3pm`, `3:30 pm`, `15:00`, `noon`. `undefined` without one, also for `25:00` and
 * `13pm`.
 */
export function findClockTime(phrase: string): ClockTime | undefined {
  const match = TWELVE_HOUR.exec(phrase) ?? DAY_HOUR.exec(phrase) ?? WORD.exec(phrase);
  if (match === null) return undefined;
  const [whole, hour, minute = "0", half] = match;
  const time = hour === undefined ? wordTime(whole) : numberTime(Number(hour), Number(minute), half?.toLowerCase());
  if (time === undefined) return undefined;
  const before = phrase.slice(0, match.index).trim();
  return { time, isTwelveHour: half !== undefined, before, after: phrase.slice(match.index + whole.length).trim() };
}

function wordTime(word: string): Temporal.PlainTime {
  return new Temporal.PlainTime(word.toLowerCase() === "midnight" ? 0 : 12);
}

function numberTime(hour: number, minute: number, half?: string): Temporal.PlainTime | undefined {
  if (half === undefined) return hour > 23 ? undefined : new Temporal.PlainTime(hour, minute);
  if (hour < 1 || hour > 12) return undefined;
  return new Temporal.PlainTime((hour % 12) + (half.startsWith("p") ? 12 : 0), minute);
}

/** `15:00`, or `3:00 pm`. Omits seconds. */
export function clockText(time: Temporal.PlainTime, isTwelveHour = false): string {
  if (!isTwelveHour) return time.toString({ smallestUnit: "minute" });
  const minute = String(time.minute).padStart(2, "0");
  return `${time.hour % 12 || 12}:${minute} ${time.hour < 12 ? "am" : "pm"}`;
}
