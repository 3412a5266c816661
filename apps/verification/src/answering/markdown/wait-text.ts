/** Returns a wait of `ms` milliseconds in words, rounded up; one minute when `ms` is undefined. */
export function waitText(ms: number | undefined): string {
  if (ms === undefined) return "a minute";
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
