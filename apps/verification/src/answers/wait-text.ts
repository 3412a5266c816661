/** How long to wait, in words, rounded up; a minute when nobody said. Milliseconds. */
export function waitText(ms: number | undefined): string {
  if (ms === undefined) return "a minute";
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
