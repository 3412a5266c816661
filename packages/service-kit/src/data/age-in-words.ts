const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** Formats a duration by its largest unit. */
export function ageInWords(ms: number): string {
  const [unit, size] = units.find(([, least]) => ms >= least) ?? ["s", 1_000];
  return `${Math.floor(ms / size)} ${unit}`;
}
