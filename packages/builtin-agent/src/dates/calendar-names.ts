/** January is 0. */
export const MONTHS: readonly string[] =
  "January February March April May June July August September October November December".split(" ");

/** Monday is 0. */
export const WEEKDAYS: readonly string[] = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

/** `Friday 25 December 2026`. */
export function longDate(date: Temporal.PlainDate): string {
  return `${WEEKDAYS[date.dayOfWeek - 1]} ${date.day} ${MONTHS[date.month - 1]} ${date.year}`;
}

/** Returns the index in `names` of a name or its prefix of at least three letters, ignoring case; -1 when absent. */
export function indexOfName(names: readonly string[], text: string): number {
  const wanted = text.toLowerCase();
  return wanted.length < 3 ? -1 : names.findIndex((name) => name.toLowerCase().startsWith(wanted));
}
