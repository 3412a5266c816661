/** The doctor warns about a certificate that expires within this many days. */
export const renewWithinDays = 21;

const dayMs = 86_400_000;

/** Returns the whole days from `now` (Unix milliseconds) until a certificate expires; negative when it has expired. */
export function daysUntil(end: Date, now: number): number {
  return Math.floor((end.getTime() - now) / dayMs);
}
