/** A certificate that ends within so many days is worth a word. */
export const renewWithinDays = 21;

const dayMs = 86_400_000;

/** Whole days from `now` (Unix milliseconds) until a certificate ends; below 0 when it has ended. */
export function daysUntil(end: Date, now: number): number {
  return Math.floor((end.getTime() - now) / dayMs);
}
