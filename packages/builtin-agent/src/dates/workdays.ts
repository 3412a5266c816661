/**
 * Counts Mondays to Fridays from `start` to the day before `end`; `start` must not be after `end`. Ignores public
 * holidays.
 */
export function workdaysBetween(start: Temporal.PlainDate, end: Temporal.PlainDate): number {
  const days = start.until(end, { largestUnit: "days" }).days;
  let workdays = Math.floor(days / 7) * 5;
  for (let day = start.add({ days: days - (days % 7) }); !day.equals(end); day = day.add({ days: 1 })) {
    if (isWorkday(day)) workdays += 1;
  }
  return workdays;
}

/** Returns the workday `count` workdays after `start`, or before it when `count` is negative. */
export function addWorkdays(start: Temporal.PlainDate, count: number): Temporal.PlainDate {
  if (count === 0) return start;
  const step = Math.sign(count);
  let day = start;
  while (!isWorkday(day)) day = day.subtract({ days: step });
  day = day.add({ weeks: Math.trunc(count / 5) });
  for (let left = Math.abs(count % 5); left > 0;) {
    day = day.add({ days: step });
    if (isWorkday(day)) left -= 1;
  }
  return day;
}

function isWorkday(day: Temporal.PlainDate): boolean {
  return day.dayOfWeek <= 5;
}
